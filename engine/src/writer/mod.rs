//! Texts about a page, written by a language model and judged before they may stand.
//!
//! A draft is held to the numbers and names of its sources while it is written ([`EvidenceConstraint`]) and judged when it is
//! done. What may not stand is drafted once more, then the page's own sentence takes its place. A small model makes single
//! sentences shorter ([`Writer::rewrite`]); a capable one writes from many passages ([`Writer::compose`]). Which of the two a model
//! may do is decided by its test ([`Writer::test`]), for key points also by its size ([`writes_whole_pages`]).

mod compose;
mod side_by_side;
mod test;
mod transcript;

use std::cell::RefCell;
use std::rc::Rc;

use pith_digest::{
    self as digest, Evidence, Flaw, Keep, PromptContext, Rewrite, judge, rewrite_prompt, seen, without_label,
};

pub use self::compose::{Composed, Task, sentences};
pub use self::test::{TestLine, TestResult};
pub use self::transcript::{Recorded, Transcript};
use crate::chat::{ChatError, ChatTemplate, Message, RenderOptions};
use crate::constraint::EvidenceConstraint;
use crate::runtime::{Error, Generation, GenerationEvent, GenerationOptions, Model};
use crate::sampler::SamplerOptions;
use crate::tokenizer::{Detokenizer, Tokenizer, TokenizerError};

/// Drafts of a line: the most probable one, then one that is drawn.
const DRAFTS_MAX: u64 = 2;
/// The least weights of a model that writes key points from a whole page. Models of up to 1.1 GB were measured: half of the facts that
/// the key sentences have are in what they write so (tests/quality/README.md).
const WHOLE_PAGE_WEIGHTS_BYTES_MIN: u64 = 1_500_000_000;
/// How evenly the second one is drawn.
const TEMPERATURE: f32 = 0.4;
/// Tokens of a line beyond those of its source.
const TOKENS_SPARE: usize = 8;

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The model's chat template.
    #[error(transparent)]
    Chat(#[from] ChatError),
    /// The prompt.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// The model.
    #[error(transparent)]
    Run(#[from] Error),
    /// It was not wanted any more.
    #[error("stopped")]
    Stopped,
}

/// A line of a written summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// What it says: the model's words, or the source's.
    pub text: String,
    /// The drafts that were made, with what spoke against each; the last one stands where nothing did.
    pub drafts: Vec<Draft>,
}

impl Written {
    /// Whether the model's words stand; else they are the source's.
    pub fn is_written(&self) -> bool {
        self.drafts.last().is_some_and(|draft| draft.flaw.is_none())
    }
}

/// What a model wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Its words.
    pub text: String,
    /// What speaks against it.
    pub flaw: Option<Flaw>,
    /// Tokens of it.
    pub tokens: usize,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Tokens of the prompt that had been read before.
    pub reused: usize,
    /// Choices that the evidence did not allow, and were made again.
    pub corrected: usize,
}

/// Whether a model with so many bytes of weights writes key points from the whole page. A smaller one makes the key sentences shorter,
/// whatever else it may write.
#[must_use]
pub fn writes_whole_pages(weights_bytes: u64) -> bool {
    weights_bytes >= WHOLE_PAGE_WEIGHTS_BYTES_MIN
}

/// A model that writes.
pub struct Writer<'a> {
    /// Continues text.
    pub model: &'a mut Model,
    /// Of the model.
    pub tokenizer: &'a Tokenizer,
    /// Of the model.
    pub template: &'a ChatTemplate,
    /// How close to the source it must stay.
    pub keep: Keep,
    /// Whether numbers and names that the source does not have cannot be chosen at all.
    pub constrained: bool,
    /// Where every token is recorded. What it has already is not written again.
    pub transcript: Option<&'a RefCell<Transcript>>,
}

impl Writer<'_> {
    /// Says a sentence in another form. `variant` 0 begins with the most probable draft, others draw all. `turn` is called between pieces of work; where it returns false, the line is not wanted any
    /// more. `now_ms` is the caller's clock.
    ///
    /// # Errors
    /// What the template, the tokenizer and the model report, `Stopped`.
    pub async fn rewrite(
        &mut self,
        context: &PromptContext,
        source: &str,
        (how, variant): (Rewrite<'_>, u32),
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Written, WriteError> {
        let keep = if how == Rewrite::Shorten { self.keep } else { Keep::Translated };
        let language = if let Rewrite::Translate(tag) = how { tag } else { context.language() };
        let evidence = Rc::new(Evidence::new([source], digest::function_words(language)));
        let prompt = self.prompt(&rewrite_prompt(context, source, how))?;
        let tokens_max = self.tokenizer.encode(source, Default::default())?.len();
        // Another language may take more of this vocabulary's tokens.
        let tokens_max = if keep == Keep::Translated { 3 * tokens_max } else { tokens_max } + TOKENS_SPARE;
        let mut drafts = Vec::new();
        for number in 0..DRAFTS_MAX {
            let sampling = sampling(u64::from(variant) * DRAFTS_MAX + number);
            let constraint = EvidenceConstraint::new(Rc::clone(&evidence), self.tokenizer);
            let options = GenerationOptions {
                tokens_max,
                sampling,
                prompt_lookup: true,
                constraint: self.constrained.then(|| Box::new(constraint) as _),
                ..GenerationOptions::default()
            };
            let mut draft = self.draft(&prompt, options, now_ms, turn).await?;
            draft.text = seen(without_label(&draft.text, how)).into_owned();
            draft.flaw = judge(&draft.text, source, &evidence, (keep, context.language())).err();
            let stands = draft.flaw.is_none();
            drafts.push(draft);
            if stands {
                break;
            }
        }
        let text = match drafts.last() {
            Some(Draft { text, flaw: None, .. }) => text.clone(),
            _ => source.to_owned(),
        };
        Ok(Written { text, drafts })
    }

    /// Ids of a prompt. Reasoning is switched off where the template can.
    ///
    /// # Errors
    /// What the template and the tokenizer report.
    pub fn prompt(&self, messages: &[digest::Message]) -> Result<Vec<u32>, WriteError> {
        let messages: Vec<Message> =
            messages.iter().map(|message| Message::new(message.role.name(), &message.content)).collect();
        let mut options = RenderOptions { add_generation_prompt: true, ..RenderOptions::default() };
        options.variables.insert("enable_thinking".into(), false.into());
        Ok(self.tokenizer.encode_parts(&self.template.render(&messages, &options)?.parts)?)
    }

    /// One line.
    async fn draft(
        &mut self,
        prompt: &[u32],
        options: GenerationOptions,
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Draft, WriteError> {
        let mut line = String::new();
        let mut each = |text: &str| {
            line = text.trim().lines().next().unwrap_or_default().trim().to_owned();
            !text.trim_start().contains('\n')
        };
        let run = self.run(prompt, options, &mut each, now_ms, turn).await?;
        let Run { prompt_tokens, tokens, reused, corrected, .. } = run;
        Ok(Draft { text: line, flaw: None, tokens, prompt_tokens, reused, corrected })
    }

    /// Generates a text. `each` is given the whole text whenever it has grown, without what the model thinks, and says whether
    /// it is to go on. Begins with what the transcript has of it.
    async fn run(
        &mut self,
        prompt: &[u32],
        options: GenerationOptions,
        each: &mut dyn FnMut(&str) -> bool,
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Run, WriteError> {
        let mut running = self.begin(prompt, options, each)?;
        let result = self.generate(&mut running, each, now_ms, turn).await;
        let run = running.end(self.model);
        result.map(|()| run)
    }

    /// Begins a text, with what the transcript has of it.
    fn begin(
        &mut self,
        prompt: &[u32],
        mut options: GenerationOptions,
        each: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Running, WriteError> {
        let mut text =
            Text { said: String::new(), detokenizer: self.tokenizer.detokenizer(), run: Run::default() };
        let (place, known) = match self.transcript {
            Some(transcript) => transcript.borrow_mut().begin(prompt),
            None => (0, Vec::new()),
        };
        options.written = known;
        let is_over = options.written.iter().any(|&id| text.ends_with(id, self.tokenizer, each));
        text.run.cut = !is_over && options.written.len() >= options.tokens_max;
        let generation = match is_over || text.run.cut {
            true => None,
            false => Some(Generation::begin(self.model, prompt, options)?),
        };
        Ok(Running { generation, text, place, prompt_tokens: prompt.len() })
    }

    async fn generate(
        &mut self,
        running: &mut Running,
        each: &mut dyn FnMut(&str) -> bool,
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<(), WriteError> {
        let mut chosen = Vec::new();
        loop {
            if !turn().await {
                return Err(WriteError::Stopped);
            }
            let Some(generation) = &mut running.generation else { return Ok(()) };
            let event = generation.step(self.model, now_ms, &mut chosen).await?;
            if self.take(running, (event, &chosen), each) {
                return Ok(());
            }
        }
    }

    /// Takes what a step gave. True where the text ends with it.
    fn take(
        &self,
        running: &mut Running,
        (event, chosen): (GenerationEvent, &[u32]),
        each: &mut dyn FnMut(&str) -> bool,
    ) -> bool {
        for &id in chosen {
            if let Some(transcript) = self.transcript {
                transcript.borrow_mut().push(running.place, id);
            }
            if running.text.ends_with(id, self.tokenizer, each) {
                return true;
            }
        }
        running.text.run.cut = matches!(event, GenerationEvent::Complete | GenerationEvent::End);
        running.text.run.cut
    }
}

/// A text and the generation that it comes from.
struct Running {
    /// `None` where the transcript has all of it.
    generation: Option<Generation>,
    text: Text,
    /// In the transcript.
    place: usize,
    prompt_tokens: usize,
}

impl Running {
    /// Gives the model its pages back.
    fn end(self, model: &mut Model) -> Run {
        let Some(generation) = self.generation else { return self.text.run };
        let counts = generation.counts();
        generation.end(model);
        Run {
            prompt_tokens: self.prompt_tokens,
            reused: counts.reused,
            corrected: counts.corrected,
            ..self.text.run
        }
    }
}

/// A text that is being written.
struct Text {
    said: String,
    detokenizer: Detokenizer,
    run: Run,
}

impl Text {
    /// Takes the next token. True where the text ends with it: because the model says so, or `each`.
    fn ends_with(&mut self, id: u32, tokenizer: &Tokenizer, each: &mut dyn FnMut(&str) -> bool) -> bool {
        if tokenizer.is_end(id) {
            return true;
        }
        self.run.tokens += 1;
        self.said.push_str(&self.detokenizer.push(id));
        match without_thinking(&self.said) {
            None => {
                self.run.thinking += 1;
                false
            }
            Some(said) => !each(said),
        }
    }
}

/// What a generation came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Run {
    /// Of the prompt, where it was read.
    prompt_tokens: usize,
    tokens: usize,
    thinking: usize,
    reused: usize,
    corrected: usize,
    /// Whether its limit ended it, not the model.
    cut: bool,
}

/// What a text says behind the block in which the model thinks; `None` while it thinks.
fn without_thinking(text: &str) -> Option<&str> {
    const BEGIN: &str = "<think>";
    match text.trim_start().strip_prefix(BEGIN) {
        Some(thought) => thought.split_once("</think>").map(|(_, said)| said),
        None if !text.trim_start().is_empty() && BEGIN.starts_with(text.trim_start()) => None,
        None => Some(text),
    }
}

/// The most probable text, or one that is drawn.
fn sampling(seed: u64) -> Option<SamplerOptions> {
    (seed > 0).then(|| SamplerOptions { temperature: TEMPERATURE, top_p: 0.95, seed, ..Default::default() })
}

#[cfg(test)]
mod tests {
    use super::{without_thinking, writes_whole_pages};

    #[test]
    fn small_models_write_of_key_sentences() {
        // The largest model that was measured, and one of 3 billion weights.
        assert!(!writes_whole_pages(1_117_320_768));
        assert!(writes_whole_pages(2_019_377_696));
    }

    #[test]
    fn thinking_is_not_said() {
        for (text, said) in [
            ("It is old.", Some("It is old.")),
            ("<thi", None),
            ("<think>Well, ", None),
            ("\n<think>\n\n</think>\n\nIt is old.", Some("\n\nIt is old.")),
            ("A < b", Some("A < b")),
            ("", Some("")),
        ] {
            assert_eq!(without_thinking(text), said, "{text:?}");
        }
    }
}
