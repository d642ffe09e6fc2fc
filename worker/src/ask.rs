//! The passages of a page that answer a question best.

use pith_engine::digest::{
    Answer, Hit, QUESTION_BLOCKS_MAX, QUESTION_SENTENCES_MAX, QueryVectors, Verdict, answered_cosine,
};

use crate::browser::now_ms;
use crate::embed::{embed, embed_blocks, embed_page, understands};
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{AnswerReason, BackendInfo, Outcome, Passage, WithoutEncoder};
use crate::residency::{EMBEDDING, Residency};
use crate::ticket::Ticket;

/// Passages where the page names no number, and where the question asks for a list.
const LIMIT: u32 = 5;
const LIST_LIMIT: u32 = 20;
const LIMIT_MAX: u32 = 50;

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
    let result = rank(residency, &mut page, question, limit, ticket).await;
    let outcome = result.map(|(Answer { hits, verdict }, encoder)| {
        let (backend, without_encoder) = match encoder {
            Encoder::Used(backend) => (Some(backend), None),
            Encoder::Without(why) => (None, Some(why)),
            Encoder::NotNeeded => (None, None),
        };
        Outcome::Answer {
            passages: hits.into_iter().map(|hit| passage(&page, hit)).collect(),
            answered: verdict.is_answer(),
            reason: reason(verdict),
            left_out: page.left_out(),
            language: page.digest.language().into(),
            backend,
            without_encoder,
            time_ms: now_ms() - start_ms,
        }
    });
    residency.pages.keep(page);
    outcome
}

/// What an embedding model did for an answer.
enum Encoder {
    Used(BackendInfo),
    Without(WithoutEncoder),
    NotNeeded,
}

async fn rank(
    residency: &mut Residency,
    page: &mut PageMemory,
    text: &str,
    limit: Option<u32>,
    ticket: &Ticket,
) -> Result<(Answer, Encoder), WorkerError> {
    let turn = async || ticket.checkpoint().await.is_ok();
    let question = page.digest.question(text, &turn).await?;
    let limit = limit.unwrap_or(if question.is_list() { LIST_LIMIT } else { LIMIT });
    let limit = limit.clamp(1, LIMIT_MAX) as usize;
    let encoder = if !question.is_searched() {
        Encoder::NotNeeded
    } else if !residency.has(EMBEDDING) {
        Encoder::Without(WithoutEncoder::NotLoaded)
    } else {
        let resident = residency.model(EMBEDDING, None, ticket).await?;
        if understands(resident, page) {
            let vector = embed(resident, &[text], ticket).await?.concat();
            let answered_cosine = answered_cosine(&resident.info.title);
            let worth = page.digest.worth_embedding_for(&question, QUESTION_SENTENCES_MAX);
            embed_page(resident, page, &worth, ticket).await?;
            let given = QueryVectors { question: &vector, sentences: &page.vectors, answered_cosine };
            let blocks = page.digest.blocks_worth_embedding_for(&question, given, QUESTION_BLOCKS_MAX, &turn);
            let blocks = blocks.await?;
            embed_blocks(resident, page, &blocks, ticket).await?;
            let given = QueryVectors { question: &vector, sentences: &page.vectors, answered_cosine };
            let answer = page.digest.rank_question(&question, Some(given), limit, &turn).await?;
            return Ok((answer, Encoder::Used(resident.info.backend.clone())));
        }
        Encoder::Without(WithoutEncoder::UnknownLanguage)
    };
    Ok((page.digest.rank_question(&question, None, limit, &turn).await?, encoder))
}

fn reason(verdict: Verdict) -> AnswerReason {
    match verdict {
        Verdict::Answered => AnswerReason::Answered,
        Verdict::KeySentences => AnswerReason::KeySentences,
        Verdict::Listed => AnswerReason::Listed,
        Verdict::NothingToList => AnswerReason::NothingToList,
        Verdict::TooVague => AnswerReason::TooVague,
        Verdict::NotOnPage => AnswerReason::NotOnPage,
    }
}

fn passage(page: &PageMemory, hit: Hit) -> Passage {
    Passage {
        text: hit.passage.text,
        block: hit.passage.block as u32,
        start: hit.passage.start_utf16 as u32,
        end: hit.passage.end_utf16 as u32,
        score: hit.score,
        headers: hit.passage.headers,
        code: page.code(hit.passage.code),
    }
}
