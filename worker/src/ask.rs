//! The passages of a page that answer a question best.

use pith_engine::digest::{ANSWERED_MIN, Hit, QueryVectors};

use crate::browser::now_ms;
use crate::embed::{embed, embed_page, understands};
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{BackendInfo, Outcome, Passage};
use crate::residency::{EMBEDDING, Residency};
use crate::ticket::Ticket;

/// Passages where the page names no number.
const LIMIT: u32 = 5;
const LIMIT_MAX: u32 = 50;

/// Sentences that are embedded for a question. Half of them are those of the page's summary, so most are there already.
const SENTENCES_MAX: usize = 160;

/// Refuses what is no question.
///
/// # Errors
/// `BadMessage`.
pub fn check(question: &str) -> Result<(), WorkerError> {
    match question.trim().is_empty() {
        true => Err(WorkerError::BadMessage { why: "the question is empty".into() }),
        false => Ok(()),
    }
}

/// Answers a question with passages, best first, so many at most. The page is kept for the next one.
///
/// # Errors
/// `QuestionTooLong`, `Cancelled`, what the model's device reports.
pub async fn ask(
    residency: &mut Residency,
    mut page: PageMemory,
    (question, limit): (&str, Option<u32>),
    start_ms: f64,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    let limit = limit.unwrap_or(LIMIT).clamp(1, LIMIT_MAX) as usize;
    let result = rank(residency, &mut page, question, limit, ticket).await;
    let left_out = page.left_out();
    residency.pages.keep(page);
    let (hits, backend) = result?;
    let answered = hits.first().is_some_and(|hit| hit.score >= ANSWERED_MIN);
    let passages = hits.into_iter().map(passage).collect();
    Ok(Outcome::Answer { passages, answered, left_out, backend, time_ms: now_ms() - start_ms })
}

async fn rank(
    residency: &mut Residency,
    page: &mut PageMemory,
    text: &str,
    limit: usize,
    ticket: &Ticket,
) -> Result<(Vec<Hit>, Option<BackendInfo>), WorkerError> {
    let turn = async || ticket.checkpoint().await.is_ok();
    let question = page.digest.question(text, &turn).await?;
    let mut asked: Option<(Vec<f32>, BackendInfo)> = None;
    if residency.has(EMBEDDING) {
        let resident = residency.model(EMBEDDING, None, ticket).await?;
        if understands(resident, page) {
            let vector = embed(resident, &[text], ticket).await?.concat();
            let worth = page.digest.worth_embedding_for(&question, SENTENCES_MAX);
            embed_page(resident, page, &worth, ticket).await?;
            asked = Some((vector, resident.info.backend.clone()));
        }
    }
    let vectors =
        asked.as_ref().map(|(vector, _)| QueryVectors { question: vector, sentences: &page.vectors });
    let hits = page.digest.rank_question(&question, vectors, limit, &turn).await?;
    Ok((hits, asked.map(|(_, backend)| backend)))
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
