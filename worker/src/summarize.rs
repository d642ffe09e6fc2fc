//! What matters of a page: by its words at once, and better by its words and an embedding model where one is loaded.

use crate::browser::now_ms;
use crate::embed::{embed_page, understands};
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{
    BackendInfo, Comments, Event, KindCandidate, KindSign, Outcome, Summary, SummaryLength, SummaryOptions,
    WithoutEncoder,
};
use crate::recovery::recovering;
use crate::residency::{EMBEDDING, Residency};
use crate::ticket::Ticket;
use crate::write::{Manuscript, write};
use pith_engine::digest;

/// Summarises a page, which is kept for the next request. A `draft` comes first where embedding takes time.
///
/// # Errors
/// `Cancelled`, what the model's device reports; those of [`write()`] where a language model is to write.
pub async fn summarize(
    residency: &mut Residency,
    mut page: PageMemory,
    options: &SummaryOptions,
    start_ms: f64,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    let mut result = recovering(residency, EMBEDDING, ticket, async |residency| {
        refine(residency, &mut page, options, start_ms, ticket).await
    })
    .await;
    if let (Ok(summary), Some(writer)) = (&mut result, &options.writer) {
        ticket.post(Event::Draft { summary: summary.clone() });
        let written = match Manuscript::new(options.resume.as_ref()) {
            Ok(manuscript) => {
                recovering(residency, writer, ticket, async |residency| {
                    write(residency, &page, summary, (writer, options, &manuscript), start_ms, ticket).await
                })
                .await
            }
            Err(error) => Err(error),
        };
        summary.time_ms = now_ms() - start_ms;
        result = written.and(result);
    }
    let handle = page.handle();
    residency.pages.keep(page);
    result.map(|summary| Outcome::Summary { summary, handle })
}

async fn refine(
    residency: &mut Residency,
    page: &mut PageMemory,
    options: &SummaryOptions,
    start_ms: f64,
    ticket: &Ticket,
) -> Result<Summary, WorkerError> {
    if !residency.has(EMBEDDING) {
        return Ok(summary(page, options, Err(WithoutEncoder::NotLoaded), start_ms));
    }
    let worth = page.digest.worth_embedding(digest::SUMMARY_SENTENCES_MAX);
    if worth.iter().any(|at| page.vectors.get(*at).is_none()) {
        ticket
            .post(Event::Draft { summary: summary(page, options, Err(WithoutEncoder::NotLoaded), start_ms) });
    }
    let resident = residency.model(EMBEDDING, None, ticket).await?;
    if !understands(resident, page) {
        return Ok(summary(page, options, Err(WithoutEncoder::UnknownLanguage), start_ms));
    }
    embed_page(resident, page, &worth, ticket).await?;
    let backend = resident.info.backend.clone();
    Ok(summary(page, options, Ok(backend), start_ms))
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

/// With the backend that made the vectors, which then take part.
fn summary(
    page: &PageMemory,
    options: &SummaryOptions,
    encoder: Result<BackendInfo, WithoutEncoder>,
    start_ms: f64,
) -> Summary {
    let length = match options.length {
        SummaryLength::Short => digest::SummaryLength::Short,
        SummaryLength::Medium => digest::SummaryLength::Medium,
        SummaryLength::Long => digest::SummaryLength::Long,
    };
    let vectors = encoder.is_ok().then_some(&page.vectors);
    let found = page.digest.summarize(vectors, &digest::SummaryOptions { length });
    let coverage = page.digest.coverage();
    Summary {
        title: page.digest.title().into(),
        description: page.digest.description().map(Into::into),
        is_described: found.is_described,
        kind: found.kind.into(),
        kind_confidence: found.confidence,
        kinds: page.digest.kind().candidates.iter().take(KINDS_MAX).map(candidate).collect(),
        lines: found.lines.iter().filter_map(|line| page.line(line)).collect(),
        method: found.method.name().into(),
        language: page.digest.language().into(),
        without_encoder: encoder.as_ref().err().copied(),
        backend: encoder.ok(),
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
