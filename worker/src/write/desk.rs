//! Where a text grows: each line is compared with the page as soon as it is written, and shown.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use pith_engine::digest::{Keep, PromptContext, Rewrite, seen};
use pith_engine::writer::{Composed, Task, Writer};

use super::failure;
use crate::browser::now_ms;
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{FinishReason, ModelInfo, Passage, Support, Unsupported, WrittenLine, WrittenText};
use crate::ticket::Ticket;

/// A line and the sentences of the page that it rests on.
#[derive(Clone)]
pub struct Line {
    pub text: String,
    pub sources: Vec<usize>,
    pub support: Support,
}

/// A text that is being written about a page.
pub struct Desk<'a> {
    pub page: &'a PageMemory,
    pub ticket: &'a Ticket,
    pub context: &'a PromptContext,
    pub unsupported: Unsupported,
    /// Of the model.
    pub info: ModelInfo,
    pub start_ms: f64,
    /// Shows the text so far.
    pub show: &'a dyn Fn(WrittenText),
    /// The sentence that takes the place of a line that nothing supports; where there is none, the one closest to the line.
    pub fallback: Cell<Option<usize>>,
    pub lines: RefCell<Vec<Line>>,
    waiting: RefCell<VecDeque<String>>,
    first_line_ms: Cell<f64>,
    pub parts: Cell<u32>,
    pub words_read: Cell<usize>,
    total: RefCell<Composed>,
}

impl<'a> Desk<'a> {
    pub fn new(
        (page, context, ticket): (&'a PageMemory, &'a PromptContext, &'a Ticket),
        (info, unsupported, start_ms): (ModelInfo, Unsupported, f64),
        show: &'a dyn Fn(WrittenText),
    ) -> Self {
        Self {
            page,
            ticket,
            context,
            unsupported,
            info,
            start_ms,
            show,
            fallback: Cell::new(None),
            lines: RefCell::default(),
            waiting: RefCell::default(),
            first_line_ms: Cell::new(0.0),
            parts: Cell::new(1),
            words_read: Cell::new(0),
            total: RefCell::default(),
        }
    }

    /// Writes a text line by line. With `shown` its lines are shown as they come.
    pub async fn compose(
        &self,
        writer: &mut Writer<'_>,
        task: &Task<'_>,
        shown: bool,
    ) -> Result<(), WorkerError> {
        self.lines.borrow_mut().clear();
        let turn = async || self.take(shown).await.is_ok();
        let mut each = |_: usize, text: &str| self.waiting.borrow_mut().push_back(text.to_owned());
        let composed = writer.compose(task, &mut each, &now_ms, &turn).await.map_err(failure)?;
        self.take(shown).await?;
        self.count(&composed);
        Ok(())
    }

    /// Writes several texts side by side, and gives the lines of each. `ended` is called when one of them is written.
    pub async fn compose_all(
        &self,
        writer: &mut Writer<'_>,
        tasks: &[Task<'_>],
        ended: &mut dyn FnMut(),
    ) -> Result<Vec<Vec<Line>>, WorkerError> {
        let turn = async || self.ticket.checkpoint().await.is_ok();
        let all = writer.compose_all(tasks, ended, &now_ms, &turn).await.map_err(failure)?;
        let mut texts = Vec::with_capacity(all.len());
        for composed in all {
            self.lines.borrow_mut().clear();
            self.waiting.borrow_mut().extend(composed.sentences.iter().cloned());
            self.take(false).await?;
            self.count(&composed);
            texts.push(self.lines.take());
        }
        Ok(texts)
    }

    /// Compares the lines that wait with the page.
    async fn take(&self, shown: bool) -> Result<(), WorkerError> {
        self.ticket.checkpoint().await?;
        loop {
            let Some(text) = self.waiting.borrow_mut().pop_front() else { return Ok(()) };
            if let Some(line) = judged(self.page, self.context, text, self.ticket).await? {
                self.push(line, shown);
            }
        }
    }

    /// Adds a line, unless one says the same.
    pub fn push(&self, line: Line, shown: bool) {
        if self.lines.borrow().iter().any(|other| other.text == line.text) {
            return;
        }
        if line.support != Support::Unsupported && self.first_line_ms.get() == 0.0 {
            self.first_line_ms.set(now_ms() - self.start_ms);
        }
        self.lines.borrow_mut().push(line);
        if shown {
            (self.show)(self.text());
        }
    }

    /// Drafts lines that nothing supports once more, each from the sentence that is closest to it; then does with them what is wished.
    pub async fn repair(&self, writer: &mut Writer<'_>, variant: u32) -> Result<(), WorkerError> {
        writer.keep = Keep::Reworded;
        let turn = async || self.ticket.checkpoint().await.is_ok();
        let mut at = 0;
        while at < self.lines.borrow().len() {
            let line = self.lines.borrow()[at].clone();
            if line.support == Support::Unsupported {
                let better = match self.fallback.get().or(line.sources.first().copied()) {
                    Some(source) => {
                        let text = &self.page.digest.sentences()[source].text;
                        let how = (Rewrite::Shorten, variant);
                        let again = writer.rewrite(self.context, text, how, &now_ms, &turn).await;
                        let again = again.map_err(failure)?;
                        again.drafts.iter().for_each(|draft| self.count_draft(draft));
                        let is_new = again.is_written() && again.text != *text;
                        let support = if is_new { Support::Supported } else { Support::Replaced };
                        Some(Line { text: again.text, sources: vec![source], support })
                    }
                    None => None,
                };
                let better = better.filter(|better| {
                    let known = self.lines.borrow();
                    let twice = known.iter().any(|other| other.text == better.text);
                    !twice
                        && (better.support == Support::Supported || self.unsupported == Unsupported::Replace)
                });
                match better {
                    Some(better) => self.lines.borrow_mut()[at] = better,
                    None if self.unsupported == Unsupported::Mark => {}
                    None => {
                        self.lines.borrow_mut().remove(at);
                        continue;
                    }
                }
                if self.first_line_ms.get() == 0.0 {
                    self.first_line_ms.set(now_ms() - self.start_ms);
                }
                (self.show)(self.text());
            }
            at += 1;
        }
        Ok(())
    }

    fn count(&self, composed: &Composed) {
        let mut total = self.total.borrow_mut();
        total.prompt_tokens += composed.prompt_tokens;
        total.reused += composed.reused;
        total.tokens += composed.tokens;
        total.thinking += composed.thinking;
        total.cut = composed.cut;
    }

    /// Counts a draft of one line.
    pub fn count_draft(&self, draft: &pith_engine::writer::Draft) {
        let mut total = self.total.borrow_mut();
        total.prompt_tokens += draft.prompt_tokens;
        total.reused += draft.reused;
        total.tokens += draft.tokens;
    }

    /// Words of a run of sentences.
    pub fn words(&self, (first, last): (usize, usize)) -> usize {
        self.page.digest.sentences()[first..=last].iter().map(|sentence| sentence.words).sum()
    }

    /// What there is so far. Lines that nothing supports are shown only where they are to be marked.
    pub fn text(&self) -> WrittenText {
        let (lines, passages) = packed(self.page, &self.lines.borrow(), self.unsupported);
        let words = self.page.digest.coverage().words.max(1);
        let total = self.total.borrow();
        WrittenText {
            lines,
            passages,
            by: self.info.title.clone(),
            backend: self.info.backend.clone(),
            parts: self.parts.get(),
            share_read: (self.words_read.get() as f32 / words as f32).min(1.0),
            words_read: self.words_read.get() as u32,
            prompt_tokens: total.prompt_tokens as u32,
            reused_tokens: total.reused as u32,
            tokens: total.tokens as u32,
            context_tokens: self.info.context_tokens,
            first_line_ms: self.first_line_ms.get(),
            time_ms: now_ms() - self.start_ms,
            thinking_tokens: total.thinking as u32,
            finish_reason: if total.cut { FinishReason::Length } else { FinishReason::Stop },
            resume: None,
        }
    }
}

/// Compares a line with the page. `None` for one that repeats the prompt: it is never shown, whatever becomes of unsupported lines.
pub async fn judged(
    page: &PageMemory,
    context: &PromptContext,
    text: String,
    ticket: &Ticket,
) -> Result<Option<Line>, WorkerError> {
    let turn = async || ticket.checkpoint().await.is_ok();
    // Judged as the eye sees it, and shown as it is judged.
    let text = seen(&text).into_owned();
    let found = page.digest.attribute(&text, &turn).await?;
    let sources: Vec<String> =
        found.sources.iter().map(|&at| page.digest.sentences()[at].text.clone()).collect();
    if context.repeats_prompt(&text, &sources.join(" ")) {
        return Ok(None);
    }
    let support = match found.is_supported() {
        true if found.copied => Support::Copied,
        true => Support::Supported,
        false => Support::Unsupported,
    };
    Ok(Some(Line { text, sources: found.sources, support }))
}

/// Lines as they are shown, and the passages that they rest on. Lines that nothing supports are there only where they are to be
/// marked.
pub fn packed(
    page: &PageMemory,
    lines: &[Line],
    unsupported: Unsupported,
) -> (Vec<WrittenLine>, Vec<Passage>) {
    let mut places: Vec<usize> = Vec::new();
    let mut place = |at: &usize| {
        let known = places.iter().position(|place| place == at);
        known.unwrap_or_else(|| {
            places.push(*at);
            places.len() - 1
        }) as u32
    };
    let shown = |line: &&Line| unsupported == Unsupported::Mark || line.support != Support::Unsupported;
    let lines = lines.iter().filter(shown).map(|Line { text, sources, support }| WrittenLine {
        text: text.clone(),
        sources: sources.iter().map(&mut place).collect(),
        support: *support,
    });
    let lines = lines.collect();
    (lines, places.iter().filter_map(|&at| page.passage(at, 1.0)).collect())
}
