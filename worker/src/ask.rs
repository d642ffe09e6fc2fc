//! The passages of a page that answer a question best.

use pith_engine::digest::{
    self, Hit, QUESTION_BLOCKS_MAX, QUESTION_SENTENCES_MAX, QueryVectors, Verdict, answered_cosine,
};

use crate::browser::now_ms;
use crate::embed::{embed_blocks, embed_page, embed_question, is_multilingual, understands};
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{
    Answer, AnswerReason, BackendInfo, Exchange, Outcome, Passage, Resume, Unsupported, WithoutEncoder,
};
use crate::recovery::recovering;
use crate::residency::{EMBEDDING, Residency};
use crate::ticket::Ticket;
use crate::write::{self, Manuscript};

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

/// What is asked of a page.
pub struct Wish {
    pub question: String,
    /// Most passages.
    pub limit: Option<u32>,
    /// A language model that writes an answer.
    pub writer: Option<String>,
    pub history: Vec<Exchange>,
    pub unsupported: Unsupported,
    pub variant: u32,
    pub keep_prompt: bool,
    pub resume: Option<Resume>,
}

/// Answers a question with passages, best first, so many at most, and in a language model's words. The page is kept for the next one.
///
/// # Errors
/// `QuestionTooLong`, `Cancelled`, what the model's device reports; those of [`write::answer`] where a language model is to write.
pub async fn ask(
    residency: &mut Residency,
    mut page: PageMemory,
    wish: &Wish,
    start_ms: f64,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    let result = find(residency, &mut page, wish, start_ms, ticket).await;
    let handle = page.handle();
    residency.pages.keep(page);
    result.map(|answer| Outcome::Answer { answer, handle })
}

async fn find(
    residency: &mut Residency,
    page: &mut PageMemory,
    wish: &Wish,
    start_ms: f64,
    ticket: &Ticket,
) -> Result<Answer, WorkerError> {
    let Wish { question, limit, history, .. } = wish;
    let (digest::Answer { hits, verdict }, encoder) =
        ranked(residency, page, (question, history), *limit, ticket).await?;
    let (backend, without_encoder) = match encoder {
        Encoder::Used(backend) => (Some(backend), None),
        Encoder::Without(why) => (None, Some(why)),
        Encoder::NotNeeded => (None, None),
    };
    let asked_in = match verdict {
        Verdict::NotOnPage if !reads_both(residency) => page.digest.other_language(question),
        _ => None,
    };
    let mut answer = Answer {
        passages: hits.iter().map(|hit| passage(page, hit.clone())).collect(),
        answered: verdict.is_answer(),
        reason: reason(verdict),
        left_out: page.left_out(),
        language: page.digest.language().into(),
        backend,
        without_encoder,
        asked_in,
        written: None,
        not_written: None,
        time_ms: now_ms() - start_ms,
    };
    if let Some(writer) = &wish.writer {
        let Wish { unsupported, variant, keep_prompt, .. } = *wish;
        let manuscript = Manuscript::new(wish.resume.as_ref())?;
        let manuscript = &manuscript;
        let asked = write::Asked { question, history, unsupported, variant, keep_prompt, manuscript };
        recovering(residency, writer, ticket, async |residency| {
            write::answer(residency, page, &mut answer, (writer, &asked, &hits), start_ms, ticket).await
        })
        .await?;
        answer.time_ms = now_ms() - start_ms;
    }
    Ok(answer)
}

/// The passages that answer a question of a conversation best; none where the page does not answer it.
///
/// # Errors
/// `QuestionTooLong`, `Cancelled`, what the model's device reports.
pub async fn hits(
    residency: &mut Residency,
    page: &mut PageMemory,
    (question, history): (&str, &[Exchange]),
    ticket: &Ticket,
) -> Result<Vec<Hit>, WorkerError> {
    let (found, _) = ranked(residency, page, (question, history), None, ticket).await?;
    Ok(if found.verdict.is_answer() { found.hits } else { Vec::new() })
}

async fn ranked(
    residency: &mut Residency,
    page: &mut PageMemory,
    asked: (&str, &[Exchange]),
    limit: Option<u32>,
    ticket: &Ticket,
) -> Result<(digest::Answer, Encoder), WorkerError> {
    recovering(residency, EMBEDDING, ticket, async |residency| {
        rank_in_context(residency, page, asked, limit, ticket).await
    })
    .await
}

/// "And how long is it?" means what the question before was about: a question without words of its own to search for is asked with
/// that one. One that has such words is not: with the last question's words it would find that one's answer.
async fn rank_in_context(
    residency: &mut Residency,
    page: &mut PageMemory,
    (question, history): (&str, &[Exchange]),
    limit: Option<u32>,
    ticket: &Ticket,
) -> Result<(digest::Answer, Encoder), WorkerError> {
    let found = rank(residency, page, question, limit, ticket).await?;
    if found.0.verdict == Verdict::TooVague
        && let Some(both) = write::in_context(question, history)
    {
        let again = rank(residency, page, &both, limit, ticket).await?;
        if again.0.verdict.is_answer() {
            return Ok(again);
        }
    }
    Ok(found)
}

/// Questions that the page answers.
///
/// # Errors
/// `Cancelled`.
pub async fn suggest(
    residency: &mut Residency,
    page: PageMemory,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    let questions = page.digest.suggest_questions(&async || ticket.checkpoint().await.is_ok()).await;
    let handle = page.handle();
    residency.pages.keep(page);
    Ok(Outcome::Questions { questions: questions?, handle })
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
) -> Result<(digest::Answer, Encoder), WorkerError> {
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
            let vector = embed_question(resident, text, ticket).await?;
            let answered_cosine = answered_cosine(&resident.info.title);
            let worth = page.digest.worth_embedding_for(&question, &page.vectors, QUESTION_SENTENCES_MAX);
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

/// Whether the embedding model that is loaded compares texts of several languages.
fn reads_both(residency: &mut Residency) -> bool {
    residency.resident(EMBEDDING).is_ok_and(|resident| is_multilingual(resident))
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
        speaker: hit.passage.speaker,
        heading: hit.passage.heading,
        parts: Vec::new(),
    }
}
