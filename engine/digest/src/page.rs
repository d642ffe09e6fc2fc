//! What a summary is made of: a page after extraction, and the options of a digest.

use serde::{Deserialize, Serialize};

/// A page after extraction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// The author's own description, from its metadata.
    #[serde(default)]
    pub description: Option<String>,
    /// BCP 47 tag, where the page says one. It is a hint: pages are often wrong about themselves.
    #[serde(default)]
    pub language: Option<String>,
    /// What the page calls itself: types of schema.org ("Recipe") and `og:type`. They are hints, as pages are often wrong about themselves.
    #[serde(default)]
    pub types: Vec<String>,
    /// Text blocks in page order.
    pub blocks: Vec<Block>,
    /// Where several pages are read as one: the first block of each but the first. Each is then compared with a question by itself.
    #[serde(default)]
    pub starts: Vec<usize>,
}

/// One block of a page's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its text, white space collapsed. Positions of sentences count in it. A block of kind [`BlockKind::Table`] is one row of
    /// a table; TAB separates its cells.
    pub text: String,
    /// The column header of each cell of a row, "" where a cell has none. Empty for all other kinds.
    #[serde(default)]
    pub headers: Vec<String>,
    /// Who wrote or says it, where the page has several people.
    #[serde(default)]
    pub speaker: Option<String>,
    /// The level of a heading, 1 to 6, where it has one; 0 otherwise.
    #[serde(default)]
    pub level: u8,
    /// What the markup of a list says of an item.
    #[serde(default)]
    pub item: Option<ItemKind>,
    /// Votes of readers for the post that it is part of, those against it taken off, where the page counts them.
    #[serde(default)]
    pub votes: Option<i32>,
    /// Whether the post is marked as the answer that helped.
    #[serde(default)]
    pub accepted: bool,
}

/// Items of lists whose markup says more than that they are items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ItemKind {
    /// One of a numbered list.
    Ordered,
    /// A term that is explained.
    Term,
    /// What explains a term.
    Definition,
}

impl Block {
    /// A block without headers, by nobody.
    pub fn new(kind: BlockKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
            headers: Vec::new(),
            speaker: None,
            level: 0,
            item: None,
            votes: None,
            accepted: false,
        }
    }
}

/// Kinds of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub enum BlockKind {
    Heading,
    Paragraph,
    ListItem,
    Quote,
    Code,
    Table,
    Caption,
    /// What a reader wrote under an article.
    Comment,
}

impl BlockKind {
    /// Whether sentences of such a block may stand in a summary. Code, tables and captions make no sense away from
    /// their place, a heading repeats what its section says, and comments are not the article's.
    #[must_use]
    pub fn is_ranked(self) -> bool {
        matches!(self, Self::Paragraph | Self::ListItem | Self::Quote)
    }

    /// Whether text of such a block may answer a question.
    #[must_use]
    pub fn is_searched(self) -> bool {
        self.is_ranked() || matches!(self, Self::Table | Self::Comment)
    }
}

/// How long a summary should be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SummaryLength {
    /// 3 lines.
    Short,
    /// 5 lines.
    #[default]
    Medium,
    /// 8 lines.
    Long,
}

impl SummaryLength {
    /// Most lines of such a summary.
    #[must_use]
    pub fn lines_max(self) -> usize {
        match self {
            Self::Short => 3,
            Self::Medium => 5,
            Self::Long => 8,
        }
    }
}

/// Options of a summary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SummaryOptions {
    /// 3, 5 or 8 lines; fewer where the page has no more sentences.
    pub length: SummaryLength,
}

/// Bounds of the work on one page. The defaults take a page of a megabyte whole. [`Coverage`] says what lies beyond them.
///
/// Fixed bounds, beyond which a text ends with "…": 300 characters of a title, 1,000 of a description. Of a heading the
/// first 300 characters count, and of a language tag its first subtag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Blocks looked at, of every kind.
    pub blocks_max: usize,
    /// Text looked at, in bytes over all searched blocks.
    pub text_bytes_max: usize,
    /// Sentences kept. Every step is linear in them, so this bounds memory, not quality: a megabyte of prose has
    /// about ten thousand. Where a page has more, the kept ones are spread over it.
    pub sentences_max: usize,
    /// Characters of one sentence; a longer one is cut at a clause or a space.
    pub sentence_chars_max: usize,
    /// Words that a page must have, over all its ranked blocks.
    pub words_min: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            blocks_max: 100_000,
            text_bytes_max: 4 << 20,
            sentences_max: 12_000,
            sentence_chars_max: 800,
            words_min: 12,
        }
    }
}

/// How much of a page a digest covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Words in ranked blocks.
    pub words: usize,
    /// Sentences found.
    pub sentences_found: usize,
    /// Sentences kept: fewer only where the page exceeds [`Limits::sentences_max`].
    pub sentences_kept: usize,
    /// UTF-16 code units of searched blocks beyond [`Limits::text_bytes_max`].
    pub skipped_utf16: usize,
    /// Blocks beyond [`Limits::blocks_max`].
    pub skipped_blocks: usize,
}

/// Why a page has no digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DigestError {
    /// Too little prose: an empty page, a list of links, an application.
    #[error("the page has {words_found} words of prose, {words_needed} are needed")]
    NoText {
        /// Words in paragraphs, list items and quotes.
        words_found: usize,
        /// [`Limits::words_min`].
        words_needed: usize,
    },
    /// Vectors of different widths, or a number that is not finite.
    #[error("vector {index} has {width} values or one that is not a number; {expected} values are expected")]
    BadVector {
        /// Which one.
        index: usize,
        /// Its width.
        width: usize,
        /// The width of the others.
        expected: usize,
    },
    /// A vector for a sentence that is not there.
    #[error("there is no sentence {index}: the page has {sentences}")]
    NoSentence {
        /// Which one.
        index: usize,
        /// How many there are.
        sentences: usize,
    },
    /// The question is longer than any that is asked.
    #[error("the question has more than {chars_max} characters")]
    QuestionTooLong {
        /// Longest accepted.
        chars_max: usize,
    },
    /// The host said in its turn that the result is no longer wanted.
    #[error("stopped by its host")]
    Stopped,
    /// A fence that page text could guess.
    #[error("the fence needs a nonce of at least {chars_min} letters and digits")]
    WeakNonce {
        /// Shortest accepted.
        chars_min: usize,
    },
}

impl DigestError {
    /// Stable name for the error catalogue.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoText { .. } => "no_text",
            Self::BadVector { .. } => "bad_vector",
            Self::NoSentence { .. } => "no_sentence",
            Self::QuestionTooLong { .. } => "question_too_long",
            Self::Stopped => "cancelled",
            Self::WeakNonce { .. } => "weak_nonce",
        }
    }
}
