//! An answer in a language model's words.

use std::rc::Rc;

use pith_engine::digest::{self, Evidence, Hit, NumberedPassage, function_words};
use pith_engine::writer::Task;

use super::desk::Desk;
use super::failure;
use super::manuscript::Manuscript;
use super::tiers::{Opened, open, writer as new_writer};
use crate::error::WorkerError;
use crate::kept_prompts::restore;
use crate::pages::PageMemory;
use crate::protocol::{Answer, Event, Exchange, NotWritten, Stage, Unsupported, WriterTier};
use crate::residency::Residency;
use crate::ticket::Ticket;

/// Sentences of an answer, and tokens of all of them.
const SENTENCES_MAX: usize = 3;
const TOKENS_MAX: usize = 160;
/// Passages that a model is given that may not read the whole page.
const FEW_PASSAGES: usize = 3;

/// What is asked beside the page.
pub struct Asked<'a> {
    pub question: &'a str,
    pub history: &'a [Exchange],
    pub unsupported: Unsupported,
    pub variant: u32,
    pub keep_prompt: bool,
    pub manuscript: &'a Manuscript,
}

/// Lets the model called `name` write `answer.written` from the passages, or says in `answer.not_written` why it does not.
///
/// # Errors
/// Those of [`open`]; `BadTemplate`.
pub async fn answer(
    residency: &mut Residency,
    page: &PageMemory,
    answer: &mut Answer,
    (name, asked, hits): (&str, &Asked<'_>, &[Hit]),
    start_ms: f64,
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    if !answer.answered || hits.is_empty() {
        answer.not_written = Some(NotWritten::NotOnPage);
        return Ok(());
    }
    ticket.post(Event::AnswerDraft { answer: answer.clone() });
    let Opened { resident, tier } = match open(residency, name, page, ticket).await? {
        Ok(opened) => opened,
        Err(why) => {
            answer.not_written = Some(why);
            return Ok(());
        }
    };
    let context = asked.manuscript.begin(resident, page)?;
    let info = resident.info.clone();
    let writer = new_writer(resident, None)?;
    let room = (info.context_tokens as usize).saturating_sub(TOKENS_MAX);
    let history: Vec<(String, String)> =
        asked.history.iter().map(|one| (one.question.clone(), one.answer.clone())).collect();
    // The whole page where it fits: then its prompt is read once, whatever is asked of it.
    let mut choices: Vec<Vec<NumberedPassage>> = Vec::new();
    if tier == WriterTier::Write && page.digest.coverage().words < room {
        choices.push(page.digest.numbered_passages());
    }
    for count in (1..=if tier == WriterTier::Write { hits.len() } else { FEW_PASSAGES }).rev() {
        let best = hits.iter().take(count).enumerate();
        choices.push(
            best.map(|(at, hit)| NumberedPassage {
                number: at + 1,
                heading: None,
                passage: hit.passage.clone(),
            })
            .collect(),
        );
    }
    let mut prompt = None;
    'found: for passages in choices {
        for from in [0, history.len() / 2, history.len()] {
            let messages = context.answer(asked.question, &history[from..], &passages);
            let ids = writer.prompt(&messages).map_err(failure)?;
            if ids.len() <= room {
                prompt = Some((messages, passages, ids));
                break 'found;
            }
        }
    }
    let Some((messages, passages, ids)) = prompt else {
        answer.not_written = Some(NotWritten::ContextTooSmall);
        return Ok(());
    };
    // Only of the whole page others begin alike.
    let is_kept = asked.keep_prompt && passages.len() > hits.len();
    if is_kept {
        restore(resident, &ids, ticket).await?;
        resident.keep_later(&ids);
    }
    let mut writer = new_writer(resident, Some(&asked.manuscript.transcript))?;
    let language = page.digest.language();
    let texts: Vec<String> = passages.iter().map(|one| one.passage.said()).collect();
    let texts = texts.iter().map(String::as_str);
    let evidence =
        Evidence::new(texts.chain([asked.question, page.digest.title()]), function_words(language));
    let task = Task {
        messages: &messages,
        evidence: Some(Rc::new(evidence)),
        language,
        sentences_max: SENTENCES_MAX,
        tokens_max: TOKENS_MAX,
        variant: u64::from(asked.variant),
    };
    let draft = |text| {
        let (mut answer, written) = (answer.clone(), Some(asked.manuscript.draft(text)));
        answer.written = written;
        ticket.post(Event::AnswerDraft { answer });
    };
    let desk = Desk::new((page, &context, ticket), (info, asked.unsupported, start_ms), &draft);
    desk.words_read.set(passages.iter().map(|one| desk.words(one.passage.sentences)).sum());
    // The sentence of the best passage that is closest to the question.
    let (first, last) = hits[0].passage.sentences;
    let best: Vec<usize> = (first..=last).collect();
    desk.fallback.set(page.digest.judge_by(asked.question, &best).sources.first().copied());
    ticket.progress(Stage::Prefill, 0, 1);
    desk.compose(&mut writer, &task, true).await?;
    desk.repair(&mut writer, asked.variant).await?;
    let text = desk.text();
    match text.lines.is_empty() {
        true => answer.not_written = Some(NotWritten::NothingSupported),
        false => answer.written = Some(text),
    }
    Ok(())
}

/// A question that goes on with the conversation: with the last one before it.
pub fn in_context(question: &str, history: &[Exchange]) -> Option<String> {
    let last = &history.last()?.question;
    let both = format!("{last} {question}");
    (both.chars().count() <= digest::QUESTION_CHARS_MAX).then_some(both)
}
