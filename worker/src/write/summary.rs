//! A summary in a language model's words.

use std::ops::Range;
use std::rc::Rc;

use pith_engine::digest::{self, Evidence, NumberedPassage, Rewrite, SummaryTask, chunks, function_words};
use pith_engine::runtime::Model;
use pith_engine::writer::{Task, Writer, writes_whole_pages};

use super::desk::{Desk, Line};
use super::failure;
use super::manuscript::Manuscript;
use super::tiers::{Opened, open, writer};
use crate::browser::now_ms;
use crate::encode::encode;
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{
    Event, NotWritten, PassagePart, Stage, Summary, SummaryKind, SummaryLength, SummaryOptions, Support,
    WriterTier,
};
use crate::residency::Residency;
use crate::ticket::Ticket;

/// Tokens of a line.
const LINE_TOKENS: usize = 64;
/// Lines that are kept of one part of a page.
const PART_LINES: usize = 3;
/// The least that a prompt must leave for the page.
const PAGE_TOKENS_MIN: usize = 200;
/// The least context of each part where several are read side by side.
const PART_CONTEXT_TOKENS: usize = 2_048;
/// The most context of a part of a page. In longer ones each token looks at more tokens before it; shorter ones give more lines to merge.
const PART_CONTEXT_TOKENS_MAX: usize = 3_072;

/// Lets the model called `name` write `summary.written`, or says in `summary.not_written` why it does not. What there is goes out as
/// a draft after each line.
///
/// # Errors
/// Those of [`open`]; `BadTemplate`.
pub async fn write(
    residency: &mut Residency,
    page: &PageMemory,
    summary: &mut Summary,
    (name, options, manuscript): (&str, &SummaryOptions, &Manuscript),
    start_ms: f64,
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let Opened { resident, tier } = match open(residency, name, page, ticket).await? {
        Ok(opened) => opened,
        Err(why) => {
            summary.not_written = Some(why);
            return Ok(());
        }
    };
    let context = manuscript.begin(resident, page)?;
    let language = page.digest.language();
    let target = options.target_language.as_deref().map(digest::primary_language);
    let target = target.filter(|target| target != language);
    let info = resident.info.clone();
    let mut writer = writer(resident, Some(&manuscript.transcript))?;
    let draft = |text| {
        let (mut summary, written) = (summary.clone(), Some(manuscript.draft(text)));
        summary.written = written;
        ticket.post(Event::Draft { summary });
    };
    let desk = Desk::new((page, &context, ticket), (info, options.unsupported, start_ms), &draft);
    let shortens = options.kind == SummaryKind::KeyPoints
        && match tier {
            WriterTier::Write => !writes_whole_pages(desk.info.weights_bytes),
            tier => tier == WriterTier::Shorten && target.is_none(),
        };
    let result = if shortens {
        shorten(&desk, &mut writer, summary, options.variant).await
    } else if tier == WriterTier::Write {
        compose(&desk, &mut writer, options).await
    } else {
        Ok(Err(NotWritten::ModelTooWeak))
    };
    let mut why = result?.err();
    if why.is_none()
        && let Some(target) = &target
    {
        translate(&desk, &mut writer, target, options.variant).await?;
    }
    if options.kind == SummaryKind::Headline {
        for line in desk.lines.borrow_mut().iter_mut() {
            line.text = line.text.trim_end_matches('.').into();
        }
    }
    let text = desk.text();
    if why.is_none() && text.lines.is_empty() {
        why = Some(NotWritten::NothingSupported);
    }
    summary.written = why.is_none().then_some(text);
    summary.not_written = why;
    Ok(())
}

type Why = Result<(), NotWritten>;

/// Makes each key sentence shorter; one of which no draft may stand stays as it is.
async fn shorten(
    desk: &Desk<'_>,
    writer: &mut Writer<'_>,
    summary: &Summary,
    variant: u32,
) -> Result<Why, WorkerError> {
    let turn = async || desk.ticket.checkpoint().await.is_ok();
    let total = summary.lines.len() as u64;
    for (at, line) in summary.lines.iter().enumerate() {
        desk.ticket.progress(Stage::Decode, at as u64, total);
        if !line.parts.is_empty() {
            let of_part = |part: &PassagePart| desk.page.sentence_at(part.block, part.start);
            let sources: Vec<usize> = line.parts.iter().filter_map(of_part).collect();
            if !sources.is_empty() {
                desk.push(Line { text: line.text.clone(), sources, support: Support::Copied }, true);
            }
            continue;
        }
        let Some(sentence) = desk.page.sentence_at(line.block, line.start) else { continue };
        let written =
            writer.rewrite(desk.context, &line.text, (Rewrite::Shorten, variant), &now_ms, &turn).await;
        let written = written.map_err(failure)?;
        written.drafts.iter().for_each(|draft| desk.count_draft(draft));
        desk.words_read.set(desk.words_read.get() + desk.words((sentence, sentence)));
        let support = match written.is_written() {
            true if written.text == line.text => Support::Copied,
            true => Support::Supported,
            false => Support::Replaced,
        };
        desk.push(Line { text: written.text, sources: vec![sentence], support }, true);
    }
    Ok(Ok(()))
}

/// Writes from the whole page: at once where it fits into the context, else part by part, and then one text of those of the parts.
async fn compose(
    desk: &Desk<'_>,
    writer: &mut Writer<'_>,
    options: &SummaryOptions,
) -> Result<Why, WorkerError> {
    let wanted = task(options.kind, options.length);
    let around = writer.prompt(&desk.context.summarize(&[], wanted)).map_err(failure)?.len();
    let context_tokens = desk.info.context_tokens as usize;
    let room_in =
        |tokens: usize| tokens.saturating_sub(around + LINE_TOKENS * wanted.lines_max().max(PART_LINES));
    let room = room_in(context_tokens);
    if room < PAGE_TOKENS_MIN {
        return Ok(Err(NotWritten::ContextTooSmall));
    }
    let tokenizer = writer.tokenizer;
    // A processor reads some dozen words a second: of a long page, what is worth it.
    let passages = match writer.model.device().works_by_itself() {
        true => desk.page.digest.numbered_passages(),
        false => desk.page.digest.worth_reading(digest::WORDS_READ_MAX),
    };
    let mut tokens = Vec::with_capacity(passages.len());
    for entry in &passages {
        tokens.push(encode(tokenizer, &entry.passage.text, Default::default(), desk.ticket).await?.len());
    }
    let parts_of = |room| {
        let mut tokens = tokens.iter();
        chunks(&passages, room, |_| tokens.next().copied().unwrap_or_default())
    };
    let mut parts = parts_of(room);
    let together = parts_together(writer.model, context_tokens);
    if parts.len() > 1 {
        // Those that are read side by side share the context.
        let part_tokens = (context_tokens / together).min(PART_CONTEXT_TOKENS_MAX);
        parts = parts_of(room_in(part_tokens));
    }
    desk.parts.set(parts.len() as u32);
    let words = |part: &[NumberedPassage]| -> usize {
        part.iter().map(|NumberedPassage { passage, .. }| desk.words(passage.sentences)).sum()
    };
    let mut notes: Vec<String> = Vec::new();
    if let [part] = &parts[..] {
        desk.ticket.progress(Stage::Prefill, 0, 1);
        let read = &passages[part.clone()];
        let prompt = Prompt::new(desk, desk.context.summarize(read, wanted), &said(read));
        prompt.compose(desk, writer, (wanted, options.variant), true).await?;
        desk.words_read.set(words(read));
        desk.ticket.progress(Stage::Prefill, 1, 1);
    } else {
        let task = SummaryTask::KeyPoints(PART_LINES);
        let total = parts.len() as u64;
        let mut done = 0;
        desk.ticket.progress(Stage::Prefill, done, total);
        for side in parts.chunks(together) {
            let prompts: Vec<Prompt> = side
                .iter()
                .map(|part| &passages[part.clone()])
                .map(|read| Prompt::new(desk, desk.context.summarize(read, task), &said(read)))
                .collect();
            let tasks: Vec<Task<'_>> =
                prompts.iter().map(|prompt| prompt.task(desk, (task, options.variant))).collect();
            let mut ended = || {
                done += 1;
                desk.ticket.progress(Stage::Prefill, done, total);
            };
            let texts = desk.compose_all(writer, &tasks, &mut ended).await?;
            for lines in texts {
                desk.lines.replace(lines);
                desk.repair(writer, options.variant).await?;
                notes.extend(desk.lines.borrow().iter().map(|line| line.text.clone()));
            }
            let read: usize = side.iter().map(|part| words(&passages[part.clone()])).sum();
            desk.words_read.set(desk.words_read.get() + read);
        }
    }
    // Its own lines are short.
    let count = |text: &str| tokenizer.encode(text, Default::default()).map_or(text.len(), |ids| ids.len());
    while parts.len() > 1 {
        let runs = runs(&notes, room, count);
        let last = runs.len() <= 1;
        let mut fewer = Vec::new();
        for run in runs {
            let part = &notes[run];
            let task = if last { wanted } else { SummaryTask::KeyPoints(PART_LINES) };
            let prompt = Prompt::new(desk, desk.context.merge(part, task), part);
            prompt.compose(desk, writer, (task, options.variant), last).await?;
            fewer.extend(desk.lines.borrow().iter().map(|line| line.text.clone()));
        }
        if last {
            break;
        }
        // A model that does not make fewer of them would go on for ever.
        fewer.truncate(notes.len().div_ceil(2));
        notes = fewer;
    }
    desk.repair(writer, options.variant).await?;
    Ok(Ok(()))
}

/// What a summary of this kind and length is to be.
pub fn task(kind: SummaryKind, length: SummaryLength) -> SummaryTask {
    let lines = match length {
        SummaryLength::Short => digest::SummaryLength::Short,
        SummaryLength::Medium => digest::SummaryLength::Medium,
        SummaryLength::Long => digest::SummaryLength::Long,
    }
    .lines_max();
    match kind {
        SummaryKind::KeyPoints => SummaryTask::KeyPoints(lines),
        SummaryKind::Tldr => SummaryTask::Tldr,
        SummaryKind::Teaser => SummaryTask::Teaser,
        SummaryKind::Headline => SummaryTask::Headline,
        SummaryKind::Simple => SummaryTask::Simple(lines),
    }
}

/// What each of several parts says.
fn said(passages: &[NumberedPassage]) -> Vec<String> {
    passages.iter().map(|one| one.passage.said()).collect()
}

/// How many parts a model reads side by side. On the CPU one after the other is as fast.
fn parts_together(model: &Model, context_tokens: usize) -> usize {
    let most = if model.device().works_by_itself() { model.sequences_max() } else { 1 };
    most.min(context_tokens / PART_CONTEXT_TOKENS).max(1)
}

/// Text of the page with what is asked of it.
struct Prompt {
    messages: Vec<digest::Message>,
    evidence: Rc<Evidence>,
}

impl Prompt {
    fn new(desk: &Desk<'_>, messages: Vec<digest::Message>, texts: &[String]) -> Self {
        let texts = texts.iter().map(String::as_str).chain([desk.page.digest.title()]);
        let evidence = Evidence::new(texts, function_words(desk.page.digest.language()));
        Prompt { messages, evidence: Rc::new(evidence) }
    }

    fn task<'a>(&'a self, desk: &'a Desk<'_>, (task, variant): (SummaryTask, u32)) -> Task<'a> {
        Task {
            messages: &self.messages,
            evidence: Some(Rc::clone(&self.evidence)),
            language: desk.page.digest.language(),
            sentences_max: task.lines_max(),
            tokens_max: LINE_TOKENS * task.lines_max(),
            variant: u64::from(variant),
        }
    }

    async fn compose(
        &self,
        desk: &Desk<'_>,
        writer: &mut Writer<'_>,
        task: (SummaryTask, u32),
        shown: bool,
    ) -> Result<(), WorkerError> {
        desk.compose(writer, &self.task(desk, task), shown).await
    }
}

/// Notes that fit into one prompt each.
fn runs(notes: &[String], room: usize, count: impl Fn(&str) -> usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut sum = 0;
    for (at, note) in notes.iter().enumerate() {
        let size = count(note) + 4;
        match runs.last_mut() {
            Some(run) if sum + size <= room => run.end = at + 1,
            _ => {
                runs.push(at..at + 1);
                sum = 0;
            }
        }
        sum += size;
    }
    runs
}

/// Says each line in another language; one whose numbers and names do not survive stays as it is.
async fn translate(
    desk: &Desk<'_>,
    writer: &mut Writer<'_>,
    target: &str,
    variant: u32,
) -> Result<(), WorkerError> {
    let turn = async || desk.ticket.checkpoint().await.is_ok();
    let count = desk.lines.borrow().len();
    for at in 0..count {
        let text = desk.lines.borrow()[at].text.clone();
        let how = (Rewrite::Translate(target), variant);
        let written = writer.rewrite(desk.context, &text, how, &now_ms, &turn).await.map_err(failure)?;
        written.drafts.iter().for_each(|draft| desk.count_draft(draft));
        if written.is_written() && written.text != text {
            let mut lines = desk.lines.borrow_mut();
            (lines[at].text, lines[at].support) = (written.text, Support::Translated);
        }
        (desk.show)(desk.text());
    }
    Ok(())
}
