//! Summaries that a language model writes, made as the product makes them: of key sentences, or from the whole page where the model is
//! large enough, each line judged by the page.

use std::rc::Rc;
use std::time::Instant;

use pith_engine::digest::{
    Digest, Evidence, Rewrite, SummaryOptions, SummaryTask, Tier, WORDS_READ_MAX, function_words,
};
use pith_engine::writer::{Task, writes_whole_pages};

use crate::docs::Anyhow;
use crate::writing::{Language, NONCE};

const LINES: usize = 5;
const LINE_TOKENS: usize = 64;

/// A written summary.
pub struct WrittenSummary {
    /// What the product shows.
    pub shown: Vec<String>,
    /// The lines of other ways: the key sentences, all that the model wrote, and what of it the page supports.
    pub ways: Vec<(&'static str, Vec<String>)>,
    /// From the beginning of the writing to its end.
    pub seconds: f64,
}

impl Language {
    /// Writes the main points of a page, as far as the model's test lets it. With `whole` from the whole page, whatever the model's size.
    pub async fn summarize(&mut self, digest: &Digest, whole: bool) -> Anyhow<WrittenSummary> {
        let started = Instant::now();
        let summary = digest.summarize(&SummaryOptions::default());
        let key: Vec<String> = summary.lines.iter().map(|line| digest.line_text(line)).collect();
        let tier = self.tier().await?;
        let large = writes_whole_pages(self.weights_bytes());
        let mut ways = vec![("key sentences", key.clone())];
        let mut shown = key;
        if whole || (large && tier == Tier::Write) {
            let raw = self.write_from_all(digest).await?;
            let mut supported = Vec::new();
            for line in &raw {
                if digest.attribute(line, &async || true).await?.is_supported() {
                    supported.push(line.clone());
                }
            }
            ways.extend([("written", raw), ("written and supported", supported.clone())]);
            if !supported.is_empty() {
                shown = supported;
            }
        } else if tier >= Tier::Shorten {
            let whole_sentences = summary.lines.iter().map(|line| line.pieces.is_empty());
            for (text, _) in shown.iter_mut().zip(whole_sentences).filter(|(_, whole)| *whole) {
                *text = self.shorten(digest, text).await?;
            }
        }
        Ok(WrittenSummary { shown, ways, seconds: started.elapsed().as_secs_f64() })
    }

    async fn shorten(&mut self, digest: &Digest, source: &str) -> Anyhow<String> {
        let started = Instant::now();
        let now_ms = || started.elapsed().as_secs_f64() * 1e3;
        let context = digest.prompt_context(NONCE)?;
        let how = (Rewrite::Shorten, 0);
        Ok(self.writer().rewrite(&context, source, how, &now_ms, &async || true).await?.text)
    }

    /// Sentences from the whole page, or what is worth reading of it.
    async fn write_from_all(&mut self, digest: &Digest) -> Anyhow<Vec<String>> {
        let started = Instant::now();
        let now_ms = || started.elapsed().as_secs_f64() * 1e3;
        let context = digest.prompt_context(NONCE)?;
        let passages = digest.worth_reading(WORDS_READ_MAX);
        let messages = context.summarize(&passages, SummaryTask::KeyPoints(LINES));
        let texts: Vec<String> = passages.iter().map(|one| one.passage.said()).collect();
        let known = texts.iter().map(String::as_str).chain([digest.title()]);
        let evidence = Evidence::new(known, function_words(digest.language()));
        let task = Task {
            messages: &messages,
            evidence: Some(Rc::new(evidence)),
            language: digest.language(),
            sentences_max: LINES,
            tokens_max: LINES * LINE_TOKENS,
            variant: 0,
        };
        Ok(self.writer().compose(&task, &mut |_, _| {}, &now_ms, &async || true).await?.sentences)
    }
}
