//! A text about a page that is written elsewhere: its prompts are made here, and its lines are judged here.

use pith_engine::digest::{self, NumberedPassage, SummaryTask, chunks};
use pith_engine::writer::sentences;

use super::desk::{Line, judged, packed};
use super::summary::task;
use crate::ask;
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{ChatMessage, Outcome, PreparedPrompt, PromptTask, Support, Unsupported};
use crate::residency::Residency;
use crate::ticket::Ticket;

/// The least budget: the instructions and a few sentences.
const BUDGET_TOKENS_MIN: u32 = 256;
/// Lines that are wanted of a part of a page.
const PART_LINES: usize = 3;
/// What is read of a text.
const TEXT_BYTES_MAX: usize = 64 << 10;
/// Lines that are judged.
const LINES_MAX: usize = 40;

/// How many tokens a text comes to, without a tokenizer: 3.5 letters of Latin script, or one of any other.
fn estimate(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().filter(|char| !char.is_ascii()).count();
    (ascii * 2).div_ceil(7) + others
}

fn estimate_all(messages: &[digest::Message]) -> usize {
    messages.iter().map(|message| estimate(&message.content) + 8).sum()
}

/// The prompt for part `part` of the page, or for an answer. The page is kept for the next request.
///
/// # Errors
/// `BadMessage` for a budget that is too small or a part that the page does not have; `QuestionTooLong`, `Cancelled`, what the model's
/// device reports.
pub async fn prepare(
    residency: &mut Residency,
    mut page: PageMemory,
    task: &PromptTask,
    (budget_tokens, part): (u32, u32),
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    let result = prompt(residency, &mut page, task, (budget_tokens, part as usize), ticket).await;
    let handle = page.handle();
    residency.pages.keep(page);
    result.map(|prompt| Outcome::Prompt { prompt, handle })
}

async fn prompt(
    residency: &mut Residency,
    page: &mut PageMemory,
    wanted: &PromptTask,
    (budget_tokens, part): (u32, usize),
    ticket: &Ticket,
) -> Result<PreparedPrompt, WorkerError> {
    if budget_tokens < BUDGET_TOKENS_MIN {
        let why = format!("the budget is {budget_tokens} tokens; at least {BUDGET_TOKENS_MIN} are needed");
        return Err(WorkerError::BadMessage { why });
    }
    let budget = budget_tokens as usize;
    let (messages, passages, parts) = match wanted {
        PromptTask::Summarize { kind, length } => {
            let context = page.digest.prompt_context(&page.nonce)?;
            let passages = page.digest.numbered_passages();
            let whole = task(*kind, *length);
            let room = budget.saturating_sub(estimate_all(&context.summarize(&[], whole)));
            let parts = chunks(&passages, room.max(BUDGET_TOKENS_MIN as usize / 2), estimate);
            let Some(range) = parts.get(part) else {
                let why = format!("the page has {} parts; there is no part {part}", parts.len());
                return Err(WorkerError::BadMessage { why });
            };
            let wanted = if parts.len() == 1 { whole } else { SummaryTask::KeyPoints(PART_LINES) };
            let read = passages[range.clone()].to_vec();
            (context.summarize(&read, wanted), read, parts.len())
        }
        PromptTask::Ask { question, history } => {
            ask::check(question)?;
            let hits = ask::hits(residency, page, (question, history), ticket).await?;
            if hits.is_empty() {
                return Ok(PreparedPrompt {
                    messages: Vec::new(),
                    answered: false,
                    parts: 1,
                    share_read: 0.0,
                    words_read: 0,
                });
            }
            let context = page.digest.prompt_context(&page.nonce)?;
            let history: Vec<(String, String)> =
                history.iter().map(|one| (one.question.clone(), one.answer.clone())).collect();
            // The whole page where it fits, else as many of the best passages as fit, and at least one.
            let few = (1..=hits.len()).rev().map(|count| {
                let best = hits.iter().take(count).enumerate();
                best.map(|(at, hit)| NumberedPassage {
                    number: at + 1,
                    heading: None,
                    passage: hit.passage.clone(),
                })
                .collect()
            });
            let whole = page.digest.numbered_passages();
            let fits = page.digest.coverage().words < budget;
            let choices: Vec<Vec<NumberedPassage>> = fits.then_some(whole).into_iter().chain(few).collect();
            let made =
                choices.into_iter().map(|passages| (context.answer(question, &history, &passages), passages));
            let mut last = None;
            for (messages, passages) in made {
                let is_short = estimate_all(&messages) <= budget;
                last = Some((messages, passages));
                if is_short {
                    break;
                }
            }
            let (messages, passages) = last.unwrap_or_default();
            (messages, passages, 1)
        }
    };
    let sentences = page.digest.sentences();
    let words = |one: &NumberedPassage| -> usize {
        let (first, last) = one.passage.sentences;
        sentences[first..=last].iter().map(|sentence| sentence.words).sum()
    };
    let words_read: usize = passages.iter().map(words).sum();
    let all = page.digest.coverage().words.max(1);
    let message = |one: digest::Message| ChatMessage {
        role: one.role.name().into(),
        content: one.content,
        ..ChatMessage::default()
    };
    Ok(PreparedPrompt {
        messages: messages.into_iter().map(message).collect(),
        answered: true,
        parts: parts as u32,
        share_read: (words_read as f32 / all as f32).min(1.0),
        words_read: words_read as u32,
    })
}

/// The lines of a text with their sources. The page is kept for the next request.
///
/// # Errors
/// `Cancelled`.
pub async fn attribute(
    residency: &mut Residency,
    page: PageMemory,
    text: &str,
    unsupported: Unsupported,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    let result = judge(&page, text, unsupported, ticket).await;
    let handle = page.handle();
    let packed = result.map(|lines| packed(&page, &lines, unsupported));
    residency.pages.keep(page);
    packed.map(|(lines, passages)| Outcome::Attributed { lines, passages, handle })
}

async fn judge(
    page: &PageMemory,
    text: &str,
    unsupported: Unsupported,
    ticket: &Ticket,
) -> Result<Vec<Line>, WorkerError> {
    let context = page.digest.prompt_context(&page.nonce)?;
    let end = (0..=TEXT_BYTES_MAX.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    let text = &text[..end.unwrap_or_default()];
    let mut lines: Vec<Line> = Vec::new();
    for sentence in sentences(text, page.digest.language()).into_iter().take(LINES_MAX) {
        let Some(mut line) = judged(page, &context, sentence, ticket).await? else { continue };
        if line.support == Support::Unsupported
            && unsupported == Unsupported::Replace
            && let Some(&source) = line.sources.first()
        {
            let text = page.digest.sentences()[source].text.clone();
            line = Line { text, sources: vec![source], support: Support::Replaced };
        }
        if !lines.iter().any(|other| other.text == line.text) {
            lines.push(line);
        }
    }
    Ok(lines)
}
