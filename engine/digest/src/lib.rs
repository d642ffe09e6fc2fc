//! From a page's text to a summary with sources, and to the passages that answer a question.
//!
//! Two phases and no model call in here: a [`Digest`] splits the page into sentences and ranks them by their words;
//! whoever has an embedding model asks [`Digest::worth_embedding_for`] which sentences are worth its time for a question, and hands the
//! [`Vectors`] back. The same input gives the same output; ties go to the earlier sentence.
//!
//! A page is a stranger's. Everything of it is bounded ([`Limits`]), every step is linear in its text, and what is not short
//! is async: it calls its host's `turn` after every few milliseconds of work, and stops where that returns false.

mod abbreviations;
mod answered;
mod asked;
mod citations;
mod clip;
mod comments;
mod compose;
mod confidence;
mod connectives;
mod defuse;
mod encoder;
mod headings;
mod intents;
mod joins;
mod kinds;
mod labels;
mod language;
mod lines;
mod noise;
mod numbered;
mod openers;
mod order;
mod outline;
mod page;
mod passages;
mod phrases;
mod poor;
mod prompt;
mod question;
mod ranking;
mod replies;
mod retrieve;
mod rows;
mod scores;
mod seen;
mod sentences;
mod signals;
mod slices;
mod speakers;
mod spread;
mod stems;
mod suggest;
mod summary;
mod tasks;
mod term_weights;
mod terms;
mod vectors;
mod wanted;
mod words;
mod write;

pub use citations::{CitedLine, parse_citations};
pub use comments::Comments;
pub use confidence::languages;
pub use encoder::{Prefixes, answered_cosine, prefixes};
pub use kinds::{Candidate, PageKind};
pub use language::{function_words, primary as primary_language};
pub use lines::{Line, LinePart, Piece};
pub use noise::Noise;
pub use numbered::{NumberedPassage, WORDS_READ_MAX};
pub use page::{
    Block, BlockKind, Coverage, DigestError, ItemKind, Limits, Page, SummaryLength, SummaryOptions,
};
pub use passages::{ANSWERED_MIN, Answer, Hit, Passage, Verdict};
pub use prompt::{Message, PromptContext, Role, chunks};
pub use question::QUESTION_CHARS_MAX;
pub use question::Question;
pub use retrieve::{QUESTION_BLOCKS_MAX, QUESTION_SENTENCES_MAX};
pub use scores::{FEATURE_NAMES, FEATURES, feature_weights};
pub use seen::seen;
pub use sentences::{Span, split_sentences};
pub use suggest::SUGGESTIONS_MAX;
pub use summary::Summary;
pub use tasks::SummaryTask;
pub use vectors::{QueryVectors, Vectors};
pub use words::count_words;
pub use write::{
    Attribution, Closeness, Evidence, EvidenceReader, Flaw, GATE_LINES, GATE_LINES_MAX, GATE_QUESTIONS,
    GateCounts, GateQuestion, Keep, Rewrite, Tier, gate_context, judge, rewrite_prompt, without_label,
};

use std::collections::BTreeMap;

use outline::Outline;
use replies::Standing;
use scores::WordScores;
use sentences::Splitter;
use slices::Slices;
use speakers::Speakers;
use spread::Spread;
use terms::{Counts, Terms};
use words::{floor_bytes, head};

/// Longest title, description, and part of a heading that counts, in characters.
const TITLE_CHARS_MAX: usize = 300;
/// The part of a block of code that is kept for the sentence that announces it, in characters.
pub const CODE_CHARS_MAX: usize = 1000;
/// Fewest tokens of a word, punctuation counted. A tokenizer without the letters makes one unknown token of a Thai sentence.
const PIECES_PER_WORD_MIN: f32 = 0.5;
/// The part of a heading that an embedding model is given with a block.
const CONTEXT_CHARS_MAX: usize = 100;
const DESCRIPTION_CHARS_MAX: usize = 1_000;
const HEADING_CHARS_MAX: usize = 300;
/// Between neighbouring sentences lie at most so many bytes: space, marks of a list.
const GAP_BYTES_MAX: usize = 64;

/// One sentence of a page. `page.blocks[block].text.slice(start_utf16, end_utf16)` in JavaScript is its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its text, as on the page.
    pub text: String,
    /// Index into the page's blocks.
    pub block: usize,
    /// Start in the block's text, in UTF-16 code units.
    pub start_utf16: usize,
    /// End in the block's text, in UTF-16 code units.
    pub end_utf16: usize,
    /// Start in the block's text, in bytes.
    pub start_bytes: usize,
    /// End in the block's text, in bytes.
    pub end_bytes: usize,
    /// Its length in words, alike in all scripts.
    pub words: usize,
    /// Whether its block begins with it.
    pub opens_block: bool,
    /// The heading that it stands under: an index into the page's blocks.
    pub heading: Option<usize>,
    /// Why it is not ranked, where it is not.
    pub noise: Option<Noise>,
    /// A row of a table as "header: cell; header: cell". It is indexed and embedded in place of the text.
    pub row: Option<String>,
    /// The block of code behind it that it announces. The code is not searched: with it the best passage is found less often.
    pub code: Option<usize>,
}

impl Sentence {
    /// What is indexed, and what an embedding model is given.
    #[must_use]
    pub fn meaning(&self) -> &str {
        self.row.as_deref().unwrap_or(&self.text)
    }
}

/// A page split and indexed, ready to be summarised and asked.
pub struct Digest {
    title: String,
    description: Option<String>,
    language: String,
    coverage: Coverage,
    /// The text of searched blocks, the beginning of headings and code; empty for captions.
    texts: Vec<String>,
    /// The column headers of rows, by block.
    headers: BTreeMap<usize, Vec<String>>,
    /// The beginning of the code that a sentence announces, by block.
    codes: BTreeMap<usize, String>,
    outline: Outline,
    /// The kind of page.
    kind: PageKind,
    sentences: Vec<Sentence>,
    /// What readers thought of posts, by block: whether they accepted it, or voted against it.
    standing: BTreeMap<usize, Standing>,
    /// Where each of the pages that are read as one begins: indices of sentences, 0 first.
    starts: Vec<usize>,
    /// Sentences that may stand in a summary, ascending.
    ranked: Vec<usize>,
    terms: Terms,
    words: WordScores,
    /// The headings above sentences, ascending by block.
    sections: Vec<Section>,
    speakers: Speakers,
    comments: Option<Comments>,
}

impl Digest {
    /// Splits and indexes a page. `turn` is called between slices of work; where it returns false, the page is not wanted
    /// any more.
    ///
    /// # Errors
    /// [`DigestError::NoText`] where its paragraphs, list items and quotes hold fewer than [`Limits::words_min`] words,
    /// [`DigestError::Stopped`].
    pub async fn new(
        page: &Page,
        limits: &Limits,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Self, DigestError> {
        let mut slices = Slices::new(turn);
        let blocks = &page.blocks[..page.blocks.len().min(limits.blocks_max)];
        let mut prose = blocks.iter().filter(|block| block.kind.is_ranked()).map(|block| block.text.as_str());
        let language = language::detect(&mut prose, page.language.as_deref());
        let Found { sentences, texts, headers, codes, mut coverage } =
            collect(blocks, &language, limits, &mut slices).await?;
        coverage.skipped_blocks = page.blocks.len() - blocks.len();
        let no_text = DigestError::NoText { words_found: coverage.words, words_needed: limits.words_min };
        if coverage.words < limits.words_min {
            return Err(no_text);
        }
        let ranked = rankable(&sentences);
        if ranked.is_empty() {
            return Err(no_text);
        }
        let mut terms = Terms::new(&language);
        for sentence in &sentences {
            terms.push(sentence.meaning());
            slices.charge(sentence.meaning().len()).await?;
        }
        while let Some(count) = terms.weigh_next() {
            slices.charge(count).await?;
        }
        let mut sections: Vec<Section> = Vec::new();
        for block in sentences.iter().filter_map(|sentence| sentence.heading) {
            if sections.last().is_none_or(|last| last.block != block) {
                let text = head(&blocks[block].text, HEADING_CHARS_MAX);
                let counts = terms.learn(text);
                sections.push(Section { block, counts, text: tidy(text, CONTEXT_CHARS_MAX) });
                slices.charge(HEADING_CHARS_MAX).await?;
            }
        }
        let speakers = Speakers::new(blocks, &sentences, &mut terms, &mut slices).await?;
        let title = tidy(&page.title, TITLE_CHARS_MAX);
        let description = page.description.as_deref().map(|text| tidy(text, DESCRIPTION_CHARS_MAX));
        let description = description.filter(|text| count_words(text) >= 3);
        let kinds: Vec<BlockKind> = blocks.iter().map(|block| block.kind).collect();
        let source = scores::Source {
            terms: &terms,
            sentences: &sentences,
            ranked: &ranked,
            kinds: &kinds,
            language: &language,
            title: &title,
            description: description.as_deref(),
            headings: &texts,
        };
        let words = WordScores::new(&source, &mut slices).await?;
        let comments = Comments::new(blocks, &sentences, &title, &language, &mut slices).await?;
        let outline = Outline::new(blocks, &sentences, &mut slices).await?;
        let kind =
            kinds::classify(&kinds::Shape::new(page, &outline, &sentences, &language, &mut slices).await?);
        let begin = |block: &usize| sentences.partition_point(|sentence| sentence.block < *block);
        let mut starts: Vec<usize> = [0].into_iter().chain(page.starts.iter().map(begin)).collect();
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|start| *start < sentences.len());
        Ok(Self {
            standing: blocks
                .iter()
                .enumerate()
                .filter_map(|(at, block)| Some((at, Standing::of(block)?)))
                .collect(),
            starts,
            title,
            description,
            language,
            coverage,
            texts,
            headers,
            codes,
            outline,
            kind,
            sentences,
            ranked,
            terms,
            words,
            sections,
            speakers,
            comments,
        })
    }

    /// What readers wrote under the article, where the page has such comments.
    #[must_use]
    pub fn comments(&self) -> Option<&Comments> {
        self.comments.as_ref()
    }

    /// The page's title, white space collapsed.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The author's own description, to be shown before the lines of a summary.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The text's language as a primary subtag ("en"), judged by its function words; "und" where unknown.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.language
    }

    /// Whether a model knows the language of this page, judged by its tokenizer: `count_pieces` gives the tokens of a text. An English
    /// model breaks words of other languages into pieces, and its vectors of them are all alike and worth nothing; words whose letters it
    /// does not have become one unknown token. Measured on a few sentences from all over the page.
    #[must_use]
    pub fn is_readable_by(&self, count_pieces: impl FnMut(&str) -> usize) -> bool {
        // An English model has 1.1 to 1.4 tokens for a word of English, 1.7 to 2.2 of French, Spanish, German, and one for each Chinese
        // character, which is 1.4 to 1.6 of a word.
        let most = match self.language.as_str() {
            "en" | "und" => 1.75,
            "zh" | "ja" | "th" => 1.3,
            _ => 1.6,
        };
        (PIECES_PER_WORD_MIN..=most).contains(&self.pieces_per_word(count_pieces))
    }

    /// Whether a vocabulary of many languages has the letters of this page. Such a model knows words that it breaks into pieces:
    /// XLM-RoBERTa's vocabulary has 1.6 tokens for a word of German and Arabic, and 2 of Polish and Korean, punctuation counted.
    #[must_use]
    pub fn is_spelled_by(&self, count_pieces: impl FnMut(&str) -> usize) -> bool {
        self.pieces_per_word(count_pieces) >= PIECES_PER_WORD_MIN
    }

    fn pieces_per_word(&self, mut count_pieces: impl FnMut(&str) -> usize) -> f32 {
        const SAMPLES: usize = 24;
        let step = self.ranked.len().div_ceil(SAMPLES).max(1);
        let (mut pieces, mut words) = (0, 0);
        for &at in self.ranked.iter().step_by(step) {
            pieces += count_pieces(&self.sentences[at].text);
            words += self.sentences[at].words;
        }
        pieces as f32 / words.max(1) as f32
    }

    /// How much of the page is in here.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }

    /// Whether two sentences follow each other on the page: on a long one those between may have been left out.
    pub(crate) fn adjoin(&self, one: usize, next: usize) -> bool {
        let (one, next) = (&self.sentences[one], &self.sentences[next]);
        one.block == next.block && next.start_bytes.saturating_sub(one.end_bytes) <= GAP_BYTES_MAX
    }

    /// All sentences in page order, rows of tables among them.
    #[must_use]
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }
}

/// A heading with text below it.
struct Section {
    /// The heading's block.
    block: usize,
    counts: Counts,
    /// The heading's beginning, white space collapsed.
    text: String,
}

/// What a page holds.
struct Found {
    sentences: Vec<Sentence>,
    /// As in [`Digest`].
    texts: Vec<String>,
    headers: BTreeMap<usize, Vec<String>>,
    codes: BTreeMap<usize, String>,
    coverage: Coverage,
}

/// The sentences of the searched blocks, within the limits.
async fn collect<T: AsyncFn() -> bool>(
    blocks: &[Block],
    language: &str,
    limits: &Limits,
    slices: &mut Slices<'_, T>,
) -> Result<Found, DigestError> {
    let mut coverage = Coverage::default();
    let mut texts = Vec::with_capacity(blocks.len());
    let mut rows = BTreeMap::new();
    let mut spread = Spread::new(limits.sentences_max);
    let filter = noise::Filter::new();
    let mut heading = None;
    let mut bytes_left = limits.text_bytes_max;
    for (block, Block { kind, text, headers, .. }) in blocks.iter().enumerate() {
        slices.charge(16).await?;
        if *kind == BlockKind::Heading {
            heading = Some(block);
        }
        if !kind.is_searched() {
            let shown = match kind {
                BlockKind::Heading => HEADING_CHARS_MAX,
                BlockKind::Code => CODE_CHARS_MAX,
                _ => 0,
            };
            texts.push(head(text, shown).to_string());
            continue;
        }
        let (text, skipped) = text.split_at(floor_bytes(text, bytes_left));
        bytes_left -= text.len();
        coverage.skipped_utf16 += skipped.encode_utf16().count();
        if *kind == BlockKind::Table {
            if let Some(row) = row(text, headers, limits) {
                slices.charge(row.text.len() + 64).await?;
                rows.insert(block, rows::bounded(headers));
                spread.push(Sentence { block, heading, ..row });
            }
            texts.push(text.to_string());
            continue;
        }
        let is_code = |block: &usize| blocks.get(*block).is_some_and(|next| next.kind == BlockKind::Code);
        let code = Some(block + 1).filter(is_code);
        let mut splitter = Splitter::new(text, language, limits.sentence_chars_max);
        let mut spans = Vec::new();
        let mut opens_block = true;
        loop {
            let window_bytes = splitter.split_window(&mut spans);
            // Only the end of the block tells which sentence is its last.
            let sure = if window_bytes == 0 { spans.len() } else { spans.len().saturating_sub(1) };
            for (index, span) in spans.drain(..sure).enumerate() {
                let sentence = &text[span.bytes.clone()];
                let words = count_words(sentence);
                let is_comment = *kind == BlockKind::Comment;
                coverage.words += if is_comment { 0 } else { words };
                let last = window_bytes == 0 && index + 1 == sure;
                spread.push(Sentence {
                    noise: filter
                        .noise(sentence, words, *kind, last)
                        .filter(|noise| !is_comment || *noise == Noise::Boilerplate)
                        .or(is_comment.then_some(Noise::Comment)),
                    text: sentence.to_string(),
                    block,
                    start_utf16: span.utf16.start,
                    end_utf16: span.utf16.end,
                    start_bytes: span.bytes.start,
                    end_bytes: span.bytes.end,
                    words,
                    opens_block,
                    heading,
                    row: None,
                    code: code.filter(|_| last && openers::announces_code(sentence)),
                });
                opens_block = false;
                slices.charge(sentence.len() + 64).await?;
            }
            if window_bytes == 0 {
                break;
            }
            slices.charge(window_bytes).await?;
        }
        texts.push(text.to_string());
    }
    coverage.sentences_found = spread.found;
    let sentences = spread.finish();
    coverage.sentences_kept = sentences.len();
    let announced = sentences.iter().filter_map(|sentence| sentence.code);
    let codes = announced.map(|at| (at, head(&blocks[at].text, CODE_CHARS_MAX).to_string())).collect();
    Ok(Found { sentences, texts, headers: rows, codes, coverage })
}

/// A row of a table as one sentence, which a summary never shows.
fn row(text: &str, headers: &[String], limits: &Limits) -> Option<Sentence> {
    // Not trimmed: an empty cell at the start is a TAB, and cells are counted from it.
    let text = head(text, limits.sentence_chars_max);
    let row = rows::describe(text, headers)?;
    Some(Sentence {
        text: text.to_string(),
        block: 0,
        start_utf16: 0,
        end_utf16: text.encode_utf16().count(),
        start_bytes: 0,
        end_bytes: text.len(),
        words: count_words(&row),
        opens_block: true,
        heading: None,
        noise: Some(Noise::Row),
        row: Some(row),
        code: None,
    })
}

/// Sentences without noise; on a page that has only fragments (a list of names, a poem), those.
fn rankable(sentences: &[Sentence]) -> Vec<usize> {
    let of = |wanted: Option<Noise>| -> Vec<usize> {
        (0..sentences.len()).filter(|&at| sentences[at].noise == wanted && sentences[at].words >= 3).collect()
    };
    let proper = of(None);
    if proper.is_empty() { of(Some(Noise::Fragment)) } else { proper }
}

/// White space collapsed, invisible and control characters left out: for text that is shown, not pointed at. What is longer than
/// `chars_max` ends with "…".
fn tidy(text: &str, chars_max: usize) -> String {
    // What is left out counts too, but not as much.
    let raw = head(text, chars_max * 4);
    let tidy = seen(raw).split_whitespace().collect::<Vec<_>>().join(" ");
    let kept = head(&tidy, chars_max - 1);
    let is_whole = raw.len() == text.len() && head(&tidy, chars_max).len() == tidy.len();
    if is_whole { tidy } else { format!("{kept}…") }
}
