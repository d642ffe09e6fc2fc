//! What matters of a page, by its words; and in a language model's words, where one is to write.

use crate::browser::now_ms;
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{
    Comments, Event, KindCandidate, KindSign, Outcome, Summary, SummaryLength, SummaryOptions,
};
use crate::recovery::recovering;
use crate::residency::Residency;
use crate::ticket::Ticket;
use crate::write::{Manuscript, write};
use pith_engine::digest;

/// Summarises a page, which is kept for the next request. Where a model is to write, the key sentences come first as a `draft`.
///
/// # Errors
/// Those of [`write()`] where a language model is to write.
pub async fn summarize(
    residency: &mut Residency,
    page: PageMemory,
    options: &SummaryOptions,
    start_ms: f64,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    let mut summary = summary(&page, options, start_ms);
    let written = match &options.writer {
        Some(writer) => {
            ticket.post(Event::Draft { summary: summary.clone() });
            let written =
                add_written(residency, &page, (&mut summary, writer), options, start_ms, ticket).await;
            summary.time_ms = now_ms() - start_ms;
            written
        }
        None => Ok(()),
    };
    let handle = page.handle();
    residency.pages.keep(page);
    written.map(|()| Outcome::Summary { summary, handle })
}

async fn add_written(
    residency: &mut Residency,
    page: &PageMemory,
    (summary, writer): (&mut Summary, &String),
    options: &SummaryOptions,
    start_ms: f64,
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let manuscript = Manuscript::new(options.resume.as_ref())?;
    recovering(residency, writer, ticket, async |residency| {
        write(residency, page, summary, (writer, options, &manuscript), start_ms, ticket).await
    })
    .await
}

/// Kinds that are told, and signs of each.
const KINDS_MAX: usize = 3;
const SIGNS_MAX: usize = 6;

fn candidate(one: &digest::Candidate) -> KindCandidate {
    let sign = |&(name, weight): &(&str, f32)| KindSign { name: name.into(), weight };
    KindCandidate {
        kind: one.name.into(),
        confidence: one.confidence,
        signs: one.signs.iter().take(SIGNS_MAX).map(sign).collect(),
    }
}

fn summary(page: &PageMemory, options: &SummaryOptions, start_ms: f64) -> Summary {
    let length = match options.length {
        SummaryLength::Short => digest::SummaryLength::Short,
        SummaryLength::Medium => digest::SummaryLength::Medium,
        SummaryLength::Long => digest::SummaryLength::Long,
    };
    let found = page.digest.summarize(&digest::SummaryOptions { length });
    let coverage = page.digest.coverage();
    Summary {
        title: page.digest.title().into(),
        description: page.digest.description().map(Into::into),
        is_described: found.is_described,
        kind: found.kind.into(),
        kind_confidence: found.confidence,
        kinds: page.digest.kind().candidates.iter().take(KINDS_MAX).map(candidate).collect(),
        lines: found.lines.iter().filter_map(|line| page.line(line)).collect(),
        language: page.digest.language().into(),
        sentences: coverage.sentences_found as u32,
        words: coverage.words as u32,
        comments: page
            .digest
            .comments()
            .map(|found| Comments { count: found.count as u32, about: found.about.clone() }),
        left_out: page.left_out(),
        written: None,
        not_written: None,
        time_ms: now_ms() - start_ms,
    }
}
