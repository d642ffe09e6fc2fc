//! Pieces of a page that may answer a question.

use super::Digest;

/// Neighboring sentences of one block, or a row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Its text as on the page, from the first sentence's start to the last one's end.
    pub text: String,
    /// Index into the page's blocks.
    pub block: usize,
    /// Indices into [`Digest::sentences`], first and last.
    pub sentences: (usize, usize),
    /// Start in the block's text, in UTF-16 code units.
    pub start_utf16: usize,
    /// End in the block's text, in UTF-16 code units.
    pub end_utf16: usize,
    /// Start in the block's text, in bytes.
    pub start_bytes: usize,
    /// End in the block's text, in bytes.
    pub end_bytes: usize,
    /// The column headers of a row, one for each cell; empty for prose.
    pub headers: Vec<String>,
    /// The block of code that its last sentence announces.
    pub code: Option<usize>,
    /// Who wrote or says it, where that is known and the text does not begin with the name, as in an interview.
    pub speaker: Option<String>,
    /// The heading above it, where that has much of the question that it answers.
    pub heading: Option<String>,
}

impl Passage {
    /// The text, behind the name of who says it.
    #[must_use]
    pub fn said(&self) -> String {
        self.speaker.as_ref().map_or_else(|| self.text.clone(), |name| format!("{name}: {}", self.text))
    }
}

/// A passage that may answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Where.
    pub passage: Passage,
    /// 0 to 1, comparable between pages and questions: how sure it is that this passage answers. [`ANSWERED_MIN`] is the least that
    /// answers. Hits are ordered by a finer ranking, so that this need not fall.
    pub score: f32,
}

/// The least [`Hit::score`] that answers.
pub const ANSWERED_MIN: f32 = 0.4;

/// What the passages of an answer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// They answer the question.
    Answered,
    /// The question asks what the page is about: they are its key sentences.
    KeySentences,
    /// The question asks for all dates, numbers or prices: they are the sentences that have one, in page order.
    Listed,
    /// The question asks for all dates, numbers or prices, and the page has none.
    NothingToList,
    /// The question has no word that can be looked for ("Why?").
    TooVague,
    /// The page does not answer: they are the closest passages.
    NotOnPage,
}

impl Verdict {
    /// Whether the passages answer the question.
    #[must_use]
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Answered | Self::KeySentences | Self::Listed)
    }
}

/// Passages for a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Best first; in page order where they are listed.
    pub hits: Vec<Hit>,
    /// What they are.
    pub verdict: Verdict,
}

impl Answer {
    pub(super) fn empty(verdict: Verdict) -> Self {
        Self { hits: Vec::new(), verdict }
    }
}

impl Digest {
    /// The stretch of a block from one sentence to another.
    pub(super) fn passage(&self, first: usize, last: usize) -> Passage {
        let (one, other) = (&self.sentences[first], &self.sentences[last]);
        Passage {
            text: self.texts[one.block][one.start_bytes..other.end_bytes].to_string(),
            block: one.block,
            sentences: (first, last),
            start_utf16: one.start_utf16,
            end_utf16: other.end_utf16,
            start_bytes: one.start_bytes,
            end_bytes: other.end_bytes,
            headers: self.headers(one.block).to_vec(),
            code: other.code,
            speaker: self.speaker(first).map(str::to_owned),
            heading: None,
        }
    }

    /// Who says a sentence, where that is known and the sentence does not begin with the name.
    #[must_use]
    pub fn speaker(&self, sentence: usize) -> Option<&str> {
        let sentence = self.sentences.get(sentence)?;
        self.speakers.name(sentence.block).filter(|name| !sentence.text.starts_with(name))
    }

    /// The beginning of a block of code that a sentence announces.
    #[must_use]
    pub fn code(&self, block: usize) -> Option<&str> {
        self.codes.get(&block).map(String::as_str)
    }

    /// The column headers of a block that is a row; empty for any other block.
    #[must_use]
    pub fn headers(&self, block: usize) -> &[String] {
        self.headers.get(&block).map_or(&[], Vec::as_slice)
    }
}
