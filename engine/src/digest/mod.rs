//! From a page's text to a summary with sources, and to the passages that answer a question.
//!
//! Two phases, no model call and no waiting in here: a [`Digest`] splits the page into sentences and ranks them by their words;
//! whoever has an embedding model asks [`Digest::worth_embedding`] which sentences are worth its time and hands the
//! [`Vectors`] back. The same input gives the same output; ties go to the earlier sentence. Every step is linear in the page's text.

mod abbreviations;
mod citations;
mod joins;
mod language;
mod noise;
mod page;
mod phrases;
mod prompt;
mod question;
mod sentences;
mod summary;
mod terms;
mod vectors;
mod words;

pub use citations::{CitedLine, parse_citations};
pub use noise::Noise;
pub use page::{Block, BlockKind, Coverage, DigestError, Limits, Page, SummaryLength, SummaryOptions};
pub use prompt::{Message, NumberedPassage, PromptContext, Role, chunks};
pub use question::{ANSWERED_MIN, Hit, Passage};
pub use sentences::{Span, split_sentences};
pub use summary::{Line, Method, Summary};
pub use vectors::{QueryVectors, Vectors};
pub use words::count_words;

use terms::{Counts, Terms};

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
}

/// A page split and indexed, ready to be summarised and asked.
pub struct Digest {
    title: String,
    description: Option<String>,
    language: String,
    coverage: Coverage,
    /// The text of ranked blocks, empty for the others.
    texts: Vec<String>,
    sentences: Vec<Sentence>,
    /// Sentences that may stand in a summary, ascending.
    ranked: Vec<usize>,
    terms: Terms,
    /// Term counts of the headings above sentences, by block, ascending.
    headings: Vec<(usize, Counts)>,
}

impl Digest {
    /// Splits and indexes a page.
    ///
    /// # Errors
    /// [`DigestError::NoText`] where its paragraphs, list items and quotes hold fewer than [`Limits::words_min`] words.
    pub fn new(page: &Page, limits: &Limits) -> Result<Self, DigestError> {
        let texts =
            page.blocks.iter().filter(|block| block.kind.is_ranked()).map(|block| block.text.as_str());
        let language = language::detect(texts, page.language.as_deref());
        let (found, mut coverage) = collect(page, &language, limits);
        if coverage.words < limits.words_min {
            return Err(DigestError::NoText { words_found: coverage.words, words_needed: limits.words_min });
        }
        let sentences = spread(found, limits.sentences_max.max(1));
        coverage.sentences_kept = sentences.len();
        let ranked = rankable(&sentences);
        if ranked.is_empty() {
            return Err(DigestError::NoText { words_found: coverage.words, words_needed: limits.words_min });
        }
        let mut terms = Terms::new(sentences.iter().map(|sentence| sentence.text.as_str()), &language);
        let mut above: Vec<usize> = sentences.iter().filter_map(|sentence| sentence.heading).collect();
        above.dedup();
        let headings =
            above.into_iter().map(|block| (block, terms.learn(&page.blocks[block].text))).collect();
        let description = page.description.as_deref().map(tidy).filter(|text| count_words(text) >= 3);
        let title = tidy(&page.title);
        let texts = page
            .blocks
            .iter()
            .map(|block| if block.kind.is_ranked() { block.text.clone() } else { String::new() });
        let texts = texts.collect();
        Ok(Self { title, description, language, coverage, texts, sentences, ranked, terms, headings })
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

    /// Whether a model knows the language of this page, judged by its tokenizer: `count_pieces` gives the tokens of a text. An English model
    /// breaks German words into two pieces on average, and its vectors of them are all alike and worth nothing (English: 1.05 pieces a
    /// word, and punctuation; German 2.0, Arabic 4.3). Measured on a few sentences from all over the page.
    #[must_use]
    pub fn is_readable_by(&self, mut count_pieces: impl FnMut(&str) -> usize) -> bool {
        const SAMPLES: usize = 24;
        const PIECES_PER_WORD_MAX: f32 = 1.75;
        let step = self.ranked.len().div_ceil(SAMPLES).max(1);
        let (mut pieces, mut words) = (0, 0);
        for &at in self.ranked.iter().step_by(step) {
            pieces += count_pieces(&self.sentences[at].text);
            words += self.sentences[at].words;
        }
        pieces as f32 <= PIECES_PER_WORD_MAX * words as f32
    }

    /// How much of the page is in here.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }

    /// All sentences in page order. Their texts are what an embedding model is given.
    #[must_use]
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }
}

/// Every sentence of the ranked blocks, within the limit of bytes.
fn collect(page: &Page, language: &str, limits: &Limits) -> (Vec<Sentence>, Coverage) {
    let mut out = Vec::new();
    let mut coverage = Coverage::default();
    let filter = noise::Filter::new();
    let mut heading = None;
    let mut bytes_left = limits.text_bytes_max;
    for (at, block) in page.blocks.iter().enumerate() {
        if block.kind == BlockKind::Heading {
            heading = Some(at);
        }
        if !block.kind.is_ranked() {
            continue;
        }
        let mut kept = block.text.len().min(bytes_left);
        while !block.text.is_char_boundary(kept) {
            kept -= 1;
        }
        bytes_left -= kept;
        coverage.bytes_skipped += block.text.len() - kept;
        let spans = split_sentences(&block.text[..kept], language, limits.sentence_chars_max);
        let count = spans.len();
        for (index, span) in spans.into_iter().enumerate() {
            let text = block.text[span.bytes.clone()].to_string();
            let words = count_words(&text);
            coverage.words += words;
            out.push(Sentence {
                noise: filter.noise(&text, words, block.kind, index + 1 == count),
                text,
                block: at,
                start_utf16: span.utf16.start,
                end_utf16: span.utf16.end,
                start_bytes: span.bytes.start,
                end_bytes: span.bytes.end,
                words,
                opens_block: index == 0,
                heading,
            });
        }
    }
    coverage.sentences_found = out.len();
    (out, coverage)
}

/// At most `limit` sentences: the page's first tenth of the limit whole, because pages say first what they are about; the rest one
/// from each of as many equal stretches, preferring proper sentences and those that open a paragraph.
fn spread(found: Vec<Sentence>, limit: usize) -> Vec<Sentence> {
    if found.len() <= limit {
        return found;
    }
    let lead = limit / 10;
    let slots = limit - lead;
    let rest = found.len() - lead;
    let mut best: Vec<Option<(u8, usize)>> = vec![None; slots];
    for (at, sentence) in found.iter().enumerate().skip(lead) {
        let slot = &mut best[(at - lead) * slots / rest];
        let value = u8::from(sentence.noise.is_none()) * 2 + u8::from(sentence.opens_block);
        if slot.is_none_or(|(other, _)| value > other) {
            *slot = Some((value, at));
        }
    }
    let mut kept = vec![false; found.len()];
    kept[..lead].fill(true);
    best.iter().flatten().for_each(|&(_, at)| kept[at] = true);
    found.into_iter().zip(kept).filter_map(|(sentence, keep)| keep.then_some(sentence)).collect()
}

/// Sentences without noise; on a page that has only fragments (a list of names, a poem), those.
fn rankable(sentences: &[Sentence]) -> Vec<usize> {
    let of = |wanted: Option<Noise>| -> Vec<usize> {
        (0..sentences.len()).filter(|&at| sentences[at].noise == wanted && sentences[at].words >= 3).collect()
    };
    let proper = of(None);
    if proper.is_empty() { of(Some(Noise::Fragment)) } else { proper }
}

/// White space collapsed, invisible and control characters left out: for text that is shown, not pointed at.
fn tidy(text: &str) -> String {
    let visible: String = text
        .chars()
        .filter(|c| !words::is_invisible(*c) || matches!(c, '\u{200C}' | '\u{200D}'))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}
