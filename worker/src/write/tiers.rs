//! What a model may write, by its test.

use std::cell::RefCell;

use pith_engine::digest::{Keep, Tier};
use pith_engine::writer::{TestResult, Transcript, Writer};

use super::failure;
use crate::browser::now_ms;
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{NotWritten, Stage, WriterTest, WriterTestLine, WriterTier};
use crate::residency::{Residency, Resident};
use crate::ticket::Ticket;
use crate::verdicts;

/// A model that may write about a page.
pub struct Opened<'a> {
    pub resident: &'a mut Resident,
    pub tier: WriterTier,
}

/// Finds the model called `name`, tests it unless that was done, and says why it does not write about this page, where it does not.
///
/// # Errors
/// `ModelNotLoaded`, `WrongModel`, `NoTokenizer`, `Cancelled`, what the device reports.
pub async fn open<'a>(
    residency: &'a mut Residency,
    name: &str,
    page: &PageMemory,
    ticket: &Ticket,
) -> Result<Result<Opened<'a>, NotWritten>, WorkerError> {
    let resident = residency.model(name, None, ticket).await?;
    resident.expect_encoder(false)?;
    let tokenizer = resident.tokenizer()?;
    let count = |text: &str| tokenizer.encode(text, Default::default()).map_or(0, |ids| ids.len());
    if !page.digest.is_readable_by(count) {
        return Ok(Err(NotWritten::LanguageNotKnown));
    }
    if !matches!(resident.chat, Some(Ok(_))) {
        return Ok(Err(NotWritten::NoTemplate));
    }
    let tier = match resident.info.tier {
        Some(tier) => tier,
        None => run(resident, ticket).await?.tier,
    };
    Ok(if tier == WriterTier::None { Err(NotWritten::ModelTooWeak) } else { Ok(Opened { resident, tier }) })
}

/// Tests the model called `name`, also where it was tested before.
///
/// # Errors
/// As [`open`]; `NoChatTemplate`, `BadTemplate`.
pub async fn test(residency: &mut Residency, name: &str, ticket: &Ticket) -> Result<WriterTest, WorkerError> {
    let resident = residency.model(name, None, ticket).await?;
    resident.expect_encoder(false)?;
    resident.tokenizer()?;
    run(resident, ticket).await
}

async fn run(resident: &mut Resident, ticket: &Ticket) -> Result<WriterTest, WorkerError> {
    let mut writer = writer(resident, None)?;
    let turn = async || ticket.checkpoint().await.is_ok();
    let mut each = |done: usize, total: usize| ticket.progress(Stage::Test, done as u64, total as u64);
    let result = writer.test(&mut each, &now_ms, &turn).await.map_err(failure)?;
    let test = told(result);
    resident.info.tier = Some(test.tier);
    verdicts::remember(&resident.info, resident.sha256, test.tier).await;
    Ok(test)
}

/// The resident model as a writer, which goes on with the transcript. Its template is there: [`open`] looked.
pub fn writer<'a>(
    resident: &'a mut Resident,
    transcript: Option<&'a RefCell<Transcript>>,
) -> Result<Writer<'a>, WorkerError> {
    let no_template = || WorkerError::NoChatTemplate { name: resident.info.name.clone() };
    let (Some(tokenizer), Some(template)) = (&resident.tokenizer, &resident.chat) else {
        return Err(no_template());
    };
    let template = template.as_ref().map_err(Clone::clone)?;
    let model = &mut resident.model;
    Ok(Writer { model, tokenizer, template, keep: Keep::Shortened, constrained: true, transcript })
}

fn told(result: TestResult) -> WriterTest {
    let TestResult { tier, counts, lines, tokens, first_line_ms, time_ms } = result;
    let reason = format!(
        "It answered {} of {} questions and made {} of {} sentences shorter; {} may stand, {} have a fault, {} of them an invented number \
         or name.",
        counts.answered,
        counts.questions,
        counts.reworded + counts.flawed,
        counts.lines,
        counts.reworded,
        counts.flawed,
        counts.invented
    );
    let line = |line: pith_engine::writer::TestLine| WriterTestLine {
        source: line.source,
        written: line.written,
        ok: line.flaw.is_none(),
        why: line.flaw.unwrap_or_default().into(),
    };
    WriterTest {
        tier: match tier {
            Tier::None => WriterTier::None,
            Tier::Chat => WriterTier::Chat,
            Tier::Shorten => WriterTier::Shorten,
            Tier::Write => WriterTier::Write,
        },
        reason,
        tokens_per_s: 1e3 * tokens as f64 / time_ms.max(1.0),
        first_token_ms: first_line_ms,
        lines: lines.into_iter().map(line).collect(),
        time_ms,
    }
}
