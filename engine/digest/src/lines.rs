//! Lines of a summary: a sentence of the page, or pieces of it that are put together.

use std::ops::Range;

use super::Digest;
use super::clip::{LINE_WORDS_MAX, cut};

/// A line of a summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The sentence that it is, or that it rests on: an index into [`Digest::sentences`].
    pub sentence: usize,
    /// 0 to 1: its place between the weakest and the strongest candidate of the page; 1 for a line that the kind of the page wants.
    pub score: f32,
    /// What it is put together from; empty where it is the whole sentence. [`Digest::line_text`] gives its text.
    pub pieces: Vec<Piece>,
    /// What stands behind the last piece; not from the page.
    pub after: String,
}

/// A piece of a line: text of the page, and what stands before it in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What joins it to the piece before; not from the page.
    pub before: String,
    /// Index into the page's blocks.
    pub block: usize,
    /// Its place in the block's text, in bytes.
    pub bytes: Range<usize>,
}

/// A part of a line and its place on the page: `page.blocks[block].text.slice(start_utf16, end_utf16)` in JavaScript is its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePart {
    /// Its text.
    pub text: String,
    /// Index into the page's blocks.
    pub block: usize,
    /// Start in the block's text, in UTF-16 code units.
    pub start_utf16: usize,
    /// End in the block's text, in UTF-16 code units.
    pub end_utf16: usize,
}

impl Digest {
    /// The text of a block: the beginning of a heading, of code; empty for a caption.
    pub(super) fn text_of(&self, block: usize) -> &str {
        self.texts.get(block).map_or("", String::as_str)
    }

    /// A sentence as a line; one of too many words is cut at a clause, and says so.
    pub(super) fn sentence_line(&self, sentence: usize, score: f32) -> Line {
        let one = &self.sentences[sentence];
        let whole = Line { sentence, score, pieces: Vec::new(), after: String::new() };
        if one.words <= LINE_WORDS_MAX || one.row.is_some() {
            return whole;
        }
        let text = self.text_of(one.block);
        match cut(&text[one.start_bytes..one.end_bytes]) {
            None => whole,
            Some(len) => {
                let bytes = one.start_bytes..one.start_bytes + len;
                let piece = Piece { before: String::new(), block: one.block, bytes };
                Line { pieces: vec![piece], after: "…".into(), ..whole }
            }
        }
    }

    /// A line as it is shown.
    #[must_use]
    pub fn line_text(&self, line: &Line) -> String {
        if line.pieces.is_empty() {
            return self.sentences[line.sentence].text.clone();
        }
        let mut out = String::new();
        for piece in &line.pieces {
            out.push_str(&piece.before);
            out.push_str(&self.text_of(piece.block)[piece.bytes.clone()].replace('\t', " · "));
        }
        out.push_str(&line.after);
        out
    }

    /// The parts of a line that is put together, with their places; none for a whole sentence.
    #[must_use]
    pub fn line_parts(&self, line: &Line) -> Vec<LinePart> {
        let part = |piece: &Piece| {
            let text = self.text_of(piece.block);
            let units = |bytes: usize| text[..bytes].encode_utf16().count();
            LinePart {
                text: text[piece.bytes.clone()].to_owned(),
                block: piece.block,
                start_utf16: units(piece.bytes.start),
                end_utf16: units(piece.bytes.end),
            }
        };
        line.pieces.iter().map(part).collect()
    }

    /// Where a sentence stands among the ranked ones.
    pub(super) fn rank_of(&self, sentence: usize) -> Option<usize> {
        self.ranked.binary_search(&sentence).ok()
    }
}
