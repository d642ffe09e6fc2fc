//! A text of several sentences from passages of a page.

use std::rc::Rc;

use pith_digest::{self as digest, Evidence, split_sentences};

use super::{Run, WriteError, Writer, sampling};
use crate::constraint::EvidenceConstraint;
use crate::runtime::GenerationOptions;

/// What is to be written.
#[derive(Debug)]
pub struct Task<'a> {
    /// The prompt.
    pub messages: &'a [digest::Message],
    /// Numbers and names beyond it cannot be chosen; `None` where they may be, because each line is judged anyway.
    pub evidence: Option<Rc<Evidence>>,
    /// The language of the text, by which sentences are told apart.
    pub language: &'a str,
    /// Sentences that are wanted; what follows is not written.
    pub sentences_max: usize,
    /// Tokens that may be written.
    pub tokens_max: usize,
    /// 0 for the most probable text, others draw one.
    pub variant: u64,
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Composed {
    /// Sentence by sentence, without marks of lists and citations.
    pub sentences: Vec<String>,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Of these, tokens that had been read before.
    pub reused: usize,
    /// Tokens that were written, thinking included.
    pub tokens: usize,
    /// Tokens of the model's thinking.
    pub thinking: usize,
    /// Whether the limit ended it, not the model.
    pub cut: bool,
}

impl Writer<'_> {
    /// Writes a text. `each` is given the number and the text of every sentence as soon as it is complete. `turn` and `now_ms` are as in
    /// [`Writer::rewrite`].
    ///
    /// # Errors
    /// What the template, the tokenizer and the model report, `Stopped`.
    pub async fn compose(
        &mut self,
        task: &Task<'_>,
        each: &mut dyn FnMut(usize, &str),
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Composed, WriteError> {
        let prompt = self.prompt(task.messages)?;
        let options = self.options(task);
        let (mut said, mut told) = (String::new(), 0);
        let mut take = |text: &str| {
            text.clone_into(&mut said);
            let all = sentences(text, task.language);
            // The last one may go on.
            for (at, sentence) in all.iter().enumerate().take(all.len().saturating_sub(1)).skip(told) {
                each(at, sentence);
                told = at + 1;
            }
            all.len() <= task.sentences_max
        };
        let run = self.run(&prompt, options, &mut take, now_ms, turn).await?;
        let composed = Composed::new(&said, task, run);
        for (at, sentence) in composed.sentences.iter().enumerate().skip(told) {
            each(at, sentence);
        }
        Ok(composed)
    }

    pub(super) fn options(&self, task: &Task<'_>) -> GenerationOptions {
        let constrain = |evidence| Box::new(EvidenceConstraint::new(evidence, self.tokenizer)) as _;
        GenerationOptions {
            tokens_max: task.tokens_max,
            sampling: sampling(task.variant),
            prompt_lookup: true,
            constraint: task.evidence.clone().map(constrain),
            ..GenerationOptions::default()
        }
    }
}

impl Composed {
    pub(super) fn new(said: &str, task: &Task<'_>, run: Run) -> Self {
        let mut sentences = sentences(said, task.language);
        sentences.truncate(task.sentences_max);
        let Run { prompt_tokens, tokens, thinking, reused, cut, .. } = run;
        Composed { sentences, prompt_tokens, reused, tokens, thinking, cut }
    }
}

/// The sentences of a model's text, without marks of lists and citations.
#[must_use]
pub fn sentences(text: &str, language: &str) -> Vec<String> {
    // Bold marks stand around whole sentences, and would join them.
    let plain = text.replace("**", "");
    let lines = digest::parse_citations(&plain, &[]);
    let spans = lines.iter().flat_map(|line| {
        let spans = split_sentences(&line.text, language, digest::Limits::default().sentence_chars_max);
        spans.into_iter().map(|span| line.text[span.bytes].trim_matches(['*', '#', ' ']).to_owned())
    });
    spans.filter(|sentence| sentence.chars().any(char::is_alphanumeric)).collect()
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn marks_of_lists_and_citations_go() {
        let text = "**1. It is old.** It was built in 1761 [3].\n- The toll ended. [2][4]\n\n[5]\n";
        assert_eq!(sentences(text, "en").len(), 3);
        assert_eq!(sentences("It is old [1]. It", "en"), ["It is old.", "It"]);
        assert!(sentences("", "en").is_empty());
    }
}
