//! The blocks of a page as composed lines use them: headings with what stands under them, items, rows.

use std::ops::Range;

use super::labels;
use super::page::{Block, BlockKind, DigestError, ItemKind};
use super::slices::Slices;
use super::words::head;
use super::{HEADING_CHARS_MAX, Sentence, count_words};

/// Sections that are looked at; a page with more is a list of links, or hostile.
const SECTIONS_MAX: usize = 4_000;
/// A heading without a level, as in a PDF.
const LEVEL_UNKNOWN: u8 = 3;
/// A paragraph that stands for a heading.
const LEVEL_LABEL: u8 = 5;
/// Longest such paragraph, in words.
const LABEL_WORDS_MAX: usize = 9;
/// And in bytes, with the white space around it.
const LABEL_BYTES_MAX: usize = 1 << 10;
/// A question that stands above its answer may be longer.
const QUESTION_WORDS_MAX: usize = 20;
/// Terms and closed sections are below all headings.
const LEVEL_TERM: u8 = 7;

/// What a block is, without its text.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) kind: BlockKind,
    pub(super) item: Option<ItemKind>,
    /// Its sentences: a range of those of the digest.
    pub(super) sentences: Range<usize>,
    pub(super) words: usize,
    /// Votes for the post that it is part of, and whether that is marked as the answer that helped.
    pub(super) votes: Option<i32>,
    pub(super) accepted: bool,
}

/// A heading and the blocks under it.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// The block of the heading.
    pub(super) heading: usize,
    /// 1 to 7.
    pub(super) level: u8,
    /// The blocks up to the next heading.
    pub(super) body: Range<usize>,
    /// The blocks up to the next heading of the same level or above.
    pub(super) whole: Range<usize>,
}

/// The parts of a page in its order, and its sections.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) parts: Vec<Part>,
    pub(super) sections: Vec<Section>,
}

impl Outline {
    /// Sentences are in page order.
    pub(super) async fn new<T: AsyncFn() -> bool>(
        blocks: &[Block],
        sentences: &[Sentence],
        slices: &mut Slices<'_, T>,
    ) -> Result<Self, DigestError> {
        let mut at = 0;
        let mut parts = Vec::with_capacity(blocks.len());
        for (block, Block { kind, item, text, votes, accepted, .. }) in blocks.iter().enumerate() {
            while sentences.get(at).is_some_and(|sentence| sentence.block < block) {
                at += 1;
            }
            let start = at;
            while sentences.get(at).is_some_and(|sentence| sentence.block == block) {
                at += 1;
            }
            let words = if kind.is_searched() {
                sentences[start..at].iter().map(|sentence| sentence.words).sum()
            } else {
                count_words(head(text, HEADING_CHARS_MAX))
            };
            parts.push(Part {
                kind: *kind,
                item: *item,
                sentences: start..at,
                words,
                votes: *votes,
                accepted: *accepted,
            });
            slices.charge(24 + (at - start)).await?;
        }
        let sections = sections(blocks, slices).await?;
        Ok(Self { parts, sections })
    }
}

/// Whether a short paragraph stands for a heading: "You will need:", "MATERIALS", "二、工具和材料", "Step 2".
fn is_label(blocks: &[Block], at: usize) -> bool {
    let block = &blocks[at];
    // Megabytes of white space around a word are not walked.
    if block.kind != BlockKind::Paragraph || block.speaker.is_some() || block.text.len() > LABEL_BYTES_MAX {
        return false;
    }
    let text = block.text.trim();
    if text.len() > 120 || text.is_empty() {
        return false;
    }
    let Some(next) = blocks.get(at + 1).filter(|next| next.kind.is_searched()) else { return false };
    let words = count_words(text);
    let is_label = words <= LABEL_WORDS_MAX
        && next.text.len() > text.len()
        && (text.ends_with([':', '：']) || is_capital(text) || labels::is_label(text));
    is_label || (words <= QUESTION_WORDS_MAX && labels::is_asked(text) && !labels::is_question(&next.text))
}

/// Letters of a script with capitals, and no other.
fn is_capital(text: &str) -> bool {
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase) && text.len() > 3
}

async fn sections<T: AsyncFn() -> bool>(
    blocks: &[Block],
    slices: &mut Slices<'_, T>,
) -> Result<Vec<Section>, DigestError> {
    let mut sections: Vec<Section> = Vec::new();
    let is_heading = |(at, block): &(usize, &Block)| {
        block.kind == BlockKind::Heading || block.item == Some(ItemKind::Term) || is_label(blocks, *at)
    };
    for (at, block) in blocks.iter().enumerate() {
        slices.charge(16).await?;
        if !is_heading(&(at, block)) || sections.len() >= SECTIONS_MAX {
            continue;
        }
        let level = match (block.level, block.item) {
            (_, Some(ItemKind::Term)) => LEVEL_TERM,
            (0, _) if block.kind != BlockKind::Heading => LEVEL_LABEL,
            (0, _) => LEVEL_UNKNOWN,
            (level, _) => level,
        };
        sections.push(Section {
            heading: at,
            level,
            body: at + 1..blocks.len(),
            whole: at + 1..blocks.len(),
        });
    }
    // The open sections by their level, so that each is closed once.
    let mut open: Vec<usize> = Vec::new();
    for at in 0..sections.len() {
        let (heading, level) = (sections[at].heading, sections[at].level);
        if at > 0 {
            sections[at - 1].body.end = heading;
        }
        while let Some(&last) = open.last()
            && sections[last].level >= level
        {
            sections[last].whole.end = heading;
            open.pop();
        }
        open.push(at);
    }
    Ok(sections)
}
