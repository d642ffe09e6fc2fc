//! The short test of a model that is to write.

use std::rc::Rc;

use pith_digest::{
    Evidence, Flaw, GATE_LINES, GATE_LINES_MAX, GATE_QUESTIONS, GateCounts, GateQuestion, Keep,
    NumberedPassage, Passage, Rewrite, Tier, function_words, gate_context, judge, rewrite_prompt,
};

use super::compose::Task;
use super::{WriteError, Writer};
use crate::runtime::GenerationOptions;

/// Tokens of an answer.
const ANSWER_TOKENS_MAX: usize = 48;

/// A task of the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestLine {
    /// The sentence or the question.
    pub source: String,
    /// What the model wrote.
    pub written: String,
    /// A stable name of what speaks against it: that of a [`Flaw`], or "wrong_answer".
    pub flaw: Option<&'static str>,
}

/// What the test came to.
#[derive(Debug, Clone, PartialEq)]
pub struct TestResult {
    /// What the model may do.
    pub tier: Tier,
    /// The figures behind it.
    pub counts: GateCounts,
    /// Questions, then lines.
    pub lines: Vec<TestLine>,
    /// Tokens that were written.
    pub tokens: usize,
    /// From the beginning to the first answer.
    pub first_line_ms: f64,
    /// Of all of it.
    pub time_ms: f64,
}

impl Writer<'_> {
    /// Lets the model do the short test, which ends as soon as it is decided. `each` is told how many tasks are done, of how many at most.
    /// `turn` and `now_ms` are as in [`Writer::rewrite`].
    ///
    /// # Errors
    /// What the template, the tokenizer and the model report, `Stopped`.
    pub async fn test(
        &mut self,
        each: &mut dyn FnMut(usize, usize),
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<TestResult, WriteError> {
        let begun_ms = now_ms();
        let total = GATE_LINES_MAX + GATE_QUESTIONS.len();
        let (mut counts, mut lines, mut tokens, mut first_line_ms) =
            (GateCounts::default(), Vec::new(), 0, 0.0);
        while counts.decided().is_none() {
            each(lines.len(), total);
            let (line, written) = match GATE_QUESTIONS.get(counts.questions) {
                Some(question) => self.answer_of_test(question, &mut counts, now_ms, turn).await?,
                None => self.line_of_test(GATE_LINES[counts.lines], &mut counts, now_ms, turn).await?,
            };
            if lines.is_empty() {
                first_line_ms = now_ms() - begun_ms;
            }
            lines.push(line);
            tokens += written;
        }
        each(total, total);
        Ok(TestResult {
            tier: counts.decided().unwrap_or(Tier::None),
            counts,
            lines,
            tokens,
            first_line_ms,
            time_ms: now_ms() - begun_ms,
        })
    }

    /// Makes a sentence of the test shorter. Gives the tokens that were written, too.
    async fn line_of_test(
        &mut self,
        source: &str,
        counts: &mut GateCounts,
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<(TestLine, usize), WriteError> {
        let prompt = self.prompt(&rewrite_prompt(&gate_context(), source, Rewrite::Shorten))?;
        let tokens_max = self.tokenizer.encode(source, Default::default())?.len() + super::TOKENS_SPARE;
        let options = GenerationOptions { tokens_max, prompt_lookup: true, ..GenerationOptions::default() };
        let draft = self.draft(&prompt, options, now_ms, turn).await?;
        let flaw = count(counts, &draft.text, source);
        Ok((TestLine { source: source.into(), written: draft.text, flaw }, draft.tokens))
    }

    /// Answers a question of the test. Gives the tokens that were written, too.
    async fn answer_of_test(
        &mut self,
        question: &GateQuestion,
        counts: &mut GateCounts,
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<(TestLine, usize), WriteError> {
        let passages: Vec<NumberedPassage> = GATE_LINES.iter().enumerate().map(passage).collect();
        let task = Task {
            messages: &gate_context().answer(question.question, &[], &passages),
            evidence: Some(Rc::new(Evidence::new(GATE_LINES, function_words("en")))),
            language: "en",
            sentences_max: 2,
            tokens_max: ANSWER_TOKENS_MAX,
            variant: 0,
        };
        let composed = self.compose(&task, &mut |_, _| {}, now_ms, turn).await?;
        let written = composed.sentences.join(" ");
        let right = question.answers.iter().any(|answer| written.contains(answer));
        counts.questions += 1;
        counts.answered += usize::from(right);
        let flaw = (!right).then_some("wrong_answer");
        Ok((TestLine { source: question.question.into(), written, flaw }, composed.tokens))
    }
}

/// Counts a line, and says what speaks against it.
fn count(counts: &mut GateCounts, line: &str, source: &str) -> Option<&'static str> {
    counts.lines += 1;
    let evidence = Evidence::new([source], function_words("en"));
    let judged = judge(line, source, &evidence, (Keep::Reworded, "en")).map(|_| ());
    counts.invented += usize::from(matches!(judged, Err(Flaw::NotInSource(_))));
    if line == source {
        return None;
    }
    let shortened = judge(line, source, &evidence, (Keep::Shortened, "en")).is_ok();
    counts.shortened += usize::from(shortened);
    counts.reworded += usize::from(shortened || judged.is_ok());
    counts.flawed += usize::from(!shortened && judged.is_err());
    judged.err().filter(|_| !shortened).map(|flaw| flaw.name())
}

fn passage((at, text): (usize, &&str)) -> NumberedPassage {
    let len = text.len();
    let passage = Passage {
        text: (*text).into(),
        block: at,
        sentences: (at, at),
        start_utf16: 0,
        end_utf16: len,
        start_bytes: 0,
        end_bytes: len,
        headers: Vec::new(),
        code: None,
        speaker: None,
        heading: None,
    };
    NumberedPassage { number: at + 1, heading: None, passage }
}
