//! A language model that writes summaries, used as the worker uses it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use pith_engine::backend::Device;
use pith_engine::chat::{self, ChatTemplate};
use pith_engine::digest::{Digest, Keep, Rewrite, Tier};
use pith_engine::runtime::{LoadOptions, Model};
use pith_engine::tokenizer::Tokenizer;
use pith_engine::writer::{TestResult, Writer, Written};
use serde::Serialize;

use crate::docs::Anyhow;
use crate::files;

/// Context for a prompt and its line.
const CONTEXT_TOKENS: usize = 4096;
/// What stands around the page's text in a prompt must be drawn at random where somebody could aim at it. Nobody does here.
pub const NONCE: &str = "measured00000";

pub struct Language {
    model: Model,
    tokenizer: Tokenizer,
    template: ChatTemplate,
    pub keep: Keep,
    pub constrained: bool,
    /// What its test lets it do; absent before the test.
    tier: Option<Tier>,
}

/// The lines of one document.
#[derive(Debug, Serialize)]
pub struct Writing {
    pub lines: Vec<WrittenLine>,
    pub seconds: f64,
    pub first_line_seconds: f64,
    pub tokens: usize,
    /// Tokens of prompts that had been read for an earlier line.
    pub reused: usize,
    /// Choices that the evidence did not allow.
    pub corrected: usize,
}

#[derive(Debug, Serialize)]
pub struct WrittenLine {
    pub source: String,
    /// What is shown.
    pub text: String,
    /// Whether these are the model's words, and other than the source's.
    pub written: bool,
    /// Drafts and what was wrong with each.
    pub drafts: Vec<(String, Option<&'static str>)>,
}

impl Language {
    pub async fn open(path: &Path, keep: Keep, constrained: bool) -> Anyhow<Self> {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let files = [bytes];
        let header = files::read_headers(&files)?;
        let options = LoadOptions { context_tokens: Some(CONTEXT_TOKENS), ..LoadOptions::default() };
        let model = files::load(&files, &header, &Device::cpu(), &options).await?;
        let tokenizer = Tokenizer::from_metadata(&header.metadata)?;
        let template = chat::template_of(&header.metadata, &tokenizer)?;
        Ok(Self { model, tokenizer, template, keep, constrained, tier: None })
    }

    /// The short test that the product gives a model.
    pub async fn test(&mut self) -> Anyhow<TestResult> {
        let started = Instant::now();
        let now_ms = || started.elapsed().as_secs_f64() * 1e3;
        Ok(self.writer().test(&mut |_, _| {}, &now_ms, &async || true).await?)
    }

    /// What its test lets it do. The first call runs the test.
    pub async fn tier(&mut self) -> Anyhow<Tier> {
        if let Some(tier) = self.tier {
            return Ok(tier);
        }
        let tier = self.test().await?.tier;
        self.tier = Some(tier);
        Ok(tier)
    }

    /// Bytes of its weights.
    pub fn weights_bytes(&self) -> u64 {
        self.model.info().weights_bytes
    }

    pub fn writer(&mut self) -> Writer<'_> {
        Writer {
            model: &mut self.model,
            tokenizer: &self.tokenizer,
            template: &self.template,
            keep: self.keep,
            constrained: self.constrained,
            transcript: None,
        }
    }

    /// Writes a line from each key sentence.
    pub async fn write(&mut self, digest: &Digest, key_lines: &[String]) -> Anyhow<Writing> {
        let context = digest.prompt_context(NONCE)?;
        let started = Instant::now();
        let now_ms = || started.elapsed().as_secs_f64() * 1e3;
        let mut writer = self.writer();
        let (mut lines, mut first_line_seconds) = (Vec::new(), 0.0);
        let (mut tokens, mut reused, mut corrected) = (0, 0, 0);
        for source in key_lines {
            let written =
                writer.rewrite(&context, source, (Rewrite::Shorten, 0), &now_ms, &async || true).await?;
            if lines.is_empty() {
                first_line_seconds = started.elapsed().as_secs_f64();
            }
            tokens += written.drafts.iter().map(|draft| draft.tokens).sum::<usize>();
            reused += written.drafts.iter().map(|draft| draft.reused).sum::<usize>();
            corrected += written.drafts.iter().map(|draft| draft.corrected).sum::<usize>();
            lines.push(line(source, written));
        }
        Ok(Writing {
            lines,
            seconds: started.elapsed().as_secs_f64(),
            first_line_seconds,
            tokens,
            reused,
            corrected,
        })
    }
}

fn line(source: &str, written: Written) -> WrittenLine {
    let drafts = written.drafts.iter();
    WrittenLine {
        source: source.to_owned(),
        written: written.is_written() && written.text != source,
        drafts: drafts
            .map(|draft| (draft.text.clone(), draft.flaw.as_ref().map(|flaw| flaw.name())))
            .collect(),
        text: written.text,
    }
}

/// What all documents come to.
#[derive(Debug, Default, Serialize)]
pub struct Totals {
    pub lines: usize,
    /// Lines in the model's words.
    pub written: usize,
    /// Lines that the model gave back as they were.
    pub copied: usize,
    pub drafts: usize,
    /// Drafts by what was wrong with them.
    pub flaws: BTreeMap<&'static str, usize>,
    pub seconds: f64,
    pub tokens: usize,
    pub reused: usize,
    pub corrected: usize,
    /// Words shown, of the words of their sources.
    pub words_percent: f64,
}

pub fn totals<'a>(all: impl Iterator<Item = &'a Writing>) -> Totals {
    let mut totals = Totals::default();
    let (mut shown, mut sources) = (0, 0);
    for writing in all {
        totals.seconds += writing.seconds;
        totals.tokens += writing.tokens;
        totals.reused += writing.reused;
        totals.corrected += writing.corrected;
        for line in &writing.lines {
            totals.lines += 1;
            totals.written += usize::from(line.written);
            let stands = line.drafts.last().is_some_and(|(_, flaw)| flaw.is_none());
            totals.copied += usize::from(stands && !line.written);
            totals.drafts += line.drafts.len();
            for flaw in line.drafts.iter().filter_map(|(_, flaw)| *flaw) {
                *totals.flaws.entry(flaw).or_default() += 1;
            }
            shown += line.text.split_whitespace().count();
            sources += line.source.split_whitespace().count();
        }
    }
    totals.words_percent = 100.0 * shown as f64 / sources.max(1) as f64;
    totals
}
