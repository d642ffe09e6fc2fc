//! The passages of a page that answer a question best.

use pith_engine::digest::{ANSWERED_MIN, Hit, QueryVectors};

use crate::browser::now_ms;
use crate::embed::{embed, embed_page, understands};
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{BackendInfo, Outcome, Page, Passage};
use crate::residency::{EMBEDDING, Residency};
use crate::ticket::Ticket;

/// Passages where the page names no number.
const LIMIT: u32 = 5;
const LIMIT_MAX: u32 = 50;

/// Sentences that are embedded for a question. Half of them are those of the page's summary, so most are there already.
const SENTENCES_MAX: usize = 160;

/// Answers a question with passages, best first.
///
/// # Errors
/// `NoText`, `BadMessage` for an empty question, `Cancelled`, what the model's device reports.
pub async fn ask(
    residency: &mut Residency,
    page: &Page,
    question: &str,
    limit: Option<u32>,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    let start_ms = now_ms();
    if question.trim().is_empty() {
        return Err(WorkerError::BadMessage { why: "the question is empty".into() });
    }
    let limit = limit.unwrap_or(LIMIT).clamp(1, LIMIT_MAX) as usize;
    let mut known = residency.pages.open(page)?;
    let result = rank(residency, &mut known, question, limit, ticket).await;
    residency.pages.keep(known);
    let (hits, backend) = result?;
    let answered = hits.first().is_some_and(|hit| hit.score >= ANSWERED_MIN);
    let passages = hits.into_iter().map(passage).collect();
    Ok(Outcome::Answer { passages, answered, backend, time_ms: now_ms() - start_ms })
}

async fn rank(
    residency: &mut Residency,
    page: &mut PageMemory,
    question: &str,
    limit: usize,
    ticket: &Ticket,
) -> Result<(Vec<Hit>, Option<BackendInfo>), WorkerError> {
    if !residency.has(EMBEDDING) {
        return Ok((page.digest.rank_question(question, None, limit), None));
    }
    let resident = residency.model(EMBEDDING, None, ticket).await?;
    if !understands(resident, page) {
        return Ok((page.digest.rank_question(question, None, limit), None));
    }
    let asked = embed(resident, &[question], ticket).await?.concat();
    let worth = page.digest.worth_embedding_for(question, SENTENCES_MAX);
    embed_page(resident, page, &worth, ticket).await?;
    let vectors = QueryVectors { question: &asked, sentences: &page.vectors };
    Ok((page.digest.rank_question(question, Some(vectors), limit), Some(resident.info.backend.clone())))
}

fn passage(hit: Hit) -> Passage {
    Passage {
        text: hit.passage.text,
        block: hit.passage.block as u32,
        start: hit.passage.start_utf16 as u32,
        end: hit.passage.end_utf16 as u32,
        score: hit.score,
    }
}
