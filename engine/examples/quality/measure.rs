//! What one document comes to.

use std::collections::HashSet;
use std::time::Instant;

use pith_engine::digest::{
    Answer, Digest, DigestError, Limits, QUESTION_BLOCKS_MAX, QUESTION_SENTENCES_MAX, QueryVectors,
    SummaryLength, SummaryOptions, Vectors, split_sentences,
};
use serde::Serialize;

use crate::checks;
use crate::docs::{Anyhow, Doc, folded};
use crate::encoder::Encoder;
use crate::rouge::{Rouge, rouge};
use crate::writing::{Language, Writing};

/// Passages that are asked for, as many as the extension shows.
const PASSAGES: usize = 5;

/// One document.
#[derive(Debug, Serialize)]
pub struct Measured {
    pub id: String,
    pub set: String,
    /// `None` without a reference.
    pub rouge1: Option<f64>,
    pub rouge2: Option<f64>,
    #[serde(rename = "rougeLsum")]
    pub rouge_lsum: Option<f64>,
    /// The same of the lines that a language model wrote, page's sentences where it failed.
    pub written_rouge1: Option<f64>,
    pub written_rouge2: Option<f64>,
    #[serde(rename = "written_rougeLsum")]
    pub written_rouge_lsum: Option<f64>,
    pub writing: Option<Writing>,
    pub key_lines: Vec<String>,
    pub lines: usize,
    /// Lines that stand on the page word for word.
    pub supported: usize,
    /// Lines that refer to a sentence that is not shown.
    pub hanging: usize,
    pub colon_lines: usize,
    pub numbers_not_on_page: usize,
    pub names_not_on_page: usize,
    pub questions: Vec<Asked>,
    pub digest_ms: f64,
    /// Ranking.
    pub summary_ms: f64,
    /// On average a question, embedding included.
    pub question_ms: f64,
}

/// One question, on both paths.
#[derive(Debug, Serialize)]
pub struct Asked {
    pub text: String,
    pub answerable: bool,
    pub about: Option<String>,
    pub by_text: Found,
    /// `None` where the embedded model does not know the language.
    pub hybrid: Option<Found>,
}

/// What was found for a question.
#[derive(Debug, Clone, Serialize)]
pub struct Found {
    /// From 1: the first passage that is right.
    pub rank: Option<usize>,
    /// Whether the page is said not to answer.
    pub refused: bool,
    pub passages: usize,
    /// The highest score of a passage.
    pub score: f32,
    pub first: String,
}

/// Measures a document; `None` where its page has no text to summarize.
pub async fn measure(
    doc: &Doc,
    mut encoder: Option<&mut Encoder>,
    language: Option<&mut Language>,
) -> Anyhow<Option<Measured>> {
    let page = doc.page();
    let started = Instant::now();
    let turn = async || true;
    let digest = match Digest::new(&page, &Limits::default(), &turn).await {
        Ok(digest) => digest,
        Err(DigestError::NoText { .. }) => return Ok(None),
        Err(error) => return Err(format!("{}: {error}", doc.id).into()),
    };
    let digest_ms = ms(started);
    encoder = encoder.filter(|encoder| digest.is_readable_by(|text| encoder.count(text)));
    let length = match doc.lines {
        Some(..=3) => SummaryLength::Short,
        Some(..=5) | None => SummaryLength::Medium,
        Some(_) => SummaryLength::Long,
    };
    let started = Instant::now();
    let summary = digest.summarize(&SummaryOptions { length });
    let summary_ms = ms(started);
    let text_of = |line: &pith_engine::digest::Line| digest.line_text(line);
    let lines: Vec<String> = summary.lines.iter().map(text_of).collect();
    let shown: Vec<usize> = summary.lines.iter().map(|line| line.sentence).collect();
    let reference = doc.reference.as_deref().map(sentences_of);
    let score = |lines: &[String]| reference.as_ref().map(|reference| rouge(reference, lines));
    let key = score(&lines);
    let writing = match language {
        Some(language) => Some(language.write(&digest, &lines).await?),
        None => None,
    };
    let texts_of = |writing: &Writing| writing.lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    let written = writing.as_ref().and_then(|writing| score(&texts_of(writing)));
    let texts: Vec<String> = doc.blocks.iter().map(|block| folded(&block.text)).collect();
    let known: HashSet<String> = doc.blocks.iter().flat_map(|block| checks::words(&block.text)).collect();
    let count = |test: &dyn Fn(&String) -> bool| lines.iter().filter(|line| test(line)).count();
    let hanging = lines.iter().zip(&shown).filter(|(line, at)| {
        checks::refers_back(line, digest.language()) && !shown.iter().any(|other| other + 1 == **at)
    });
    let hanging = hanging.count();
    let started = Instant::now();
    let (mut questions, mut vectors) = (Vec::new(), Vectors::default());
    for question in &doc.questions {
        let asked = digest.question(&question.text, &turn).await?;
        let by_text = digest.rank_question(&asked, None, PASSAGES, &turn).await?;
        let mut hybrid = None;
        if let Some(encoder) = encoder.as_deref_mut() {
            let vector = encoder.embed_question(&question.text).await?;
            let worth = digest.worth_embedding_for(&asked, &vectors, QUESTION_SENTENCES_MAX);
            embed(&digest, &worth, &mut vectors, encoder).await?;
            let answered_cosine = encoder.answered_cosine;
            let given = QueryVectors { question: &vector, sentences: &vectors, answered_cosine };
            let blocks = digest.blocks_worth_embedding_for(&asked, given, QUESTION_BLOCKS_MAX, &turn).await?;
            for block in blocks {
                vectors.insert_block(block, encoder.embed_passage(&digest.block_text(block)).await?)?;
            }
            let given = QueryVectors { question: &vector, sentences: &vectors, answered_cosine };
            hybrid = Some(digest.rank_question(&asked, Some(given), PASSAGES, &turn).await?);
        }
        questions.push(Asked {
            text: question.text.clone(),
            answerable: question.answerable,
            about: question.about.clone(),
            by_text: found(&by_text, &question.answers),
            hybrid: hybrid.map(|answer| found(&answer, &question.answers)),
        });
    }
    let question_ms = if questions.is_empty() { 0.0 } else { ms(started) / questions.len() as f64 };
    let part = |of: Option<Rouge>, take: fn(Rouge) -> f64| of.map(take);
    Ok(Some(Measured {
        id: doc.id.clone(),
        set: doc.set.clone(),
        rouge1: part(key, |rouge| rouge.one),
        rouge2: part(key, |rouge| rouge.two),
        rouge_lsum: part(key, |rouge| rouge.lsum),
        written_rouge1: part(written, |rouge| rouge.one),
        written_rouge2: part(written, |rouge| rouge.two),
        written_rouge_lsum: part(written, |rouge| rouge.lsum),
        writing,
        lines: lines.len(),
        supported: summary.lines.iter().filter(|line| is_on_page(&digest, line, &texts)).count(),
        hanging,
        colon_lines: count(&|line| checks::ends_in_colon(line)),
        numbers_not_on_page: lines.iter().map(|line| checks::foreign_numbers(line, &known)).sum(),
        names_not_on_page: lines.iter().map(|line| checks::foreign_names(line, &known)).sum(),
        key_lines: lines,
        questions,
        digest_ms,
        summary_ms,
        question_ms,
    }))
}

async fn embed(digest: &Digest, worth: &[usize], vectors: &mut Vectors, encoder: &mut Encoder) -> Anyhow<()> {
    for &at in worth {
        if vectors.get(at).is_none() {
            vectors.insert(at, encoder.embed_passage(digest.sentences()[at].meaning()).await?)?;
        }
    }
    Ok(())
}

/// Whether the page has a line, or each of its parts.
fn is_on_page(digest: &Digest, line: &pith_engine::digest::Line, texts: &[String]) -> bool {
    let parts = digest.line_parts(line);
    match parts.is_empty() {
        true => checks::is_supported(&digest.line_text(line), texts),
        false => parts.iter().all(|part| checks::is_supported(&part.text, texts)),
    }
}

/// A reference as sentences: its lines, or where it has one line, that line split.
fn sentences_of(text: &str) -> Vec<String> {
    let lines: Vec<String> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(Into::into).collect();
    match lines.as_slice() {
        [line] => {
            split_sentences(line, "en", 10_000).into_iter().map(|span| line[span.bytes].to_string()).collect()
        }
        _ => lines,
    }
}

fn found(answer: &Answer, answers: &[String]) -> Found {
    let right = |text: &str| {
        let text = folded(text);
        answers.iter().any(|answer| text.contains(&folded(answer)))
    };
    Found {
        rank: answer.hits.iter().position(|hit| right(&hit.passage.text)).map(|at| at + 1),
        refused: !answer.verdict.is_answer(),
        passages: answer.hits.len(),
        score: answer.hits.iter().map(|hit| hit.score).fold(0.0, f32::max),
        first: answer.hits.first().map(|hit| hit.passage.text.clone()).unwrap_or_default(),
    }
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
