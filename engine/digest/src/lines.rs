//! Lines of a summary: a sentence of the page, or pieces of it that are put together.

use std::ops::Range;

use super::Digest;
use super::clip::{LINE_WORDS_MAX, clip, cut};
use super::connectives::dropped_bytes;

/// On a page of fewer sentences each stands alone.
const PAIRED_PAGE_SENTENCES: usize = 12;
/// A word that joins a sentence to the one before has at most so many bytes.
const CONNECTIVE_BYTES_MAX: usize = 80;
/// A sentence of more words is no line, whether it has clauses or not.
const UNCUT_WORDS_MAX: usize = 60;

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

    /// A sentence as a line: without the word that joins it to the one before; one of too many words is cut at a clause, and says so.
    pub(super) fn sentence_line(&self, sentence: usize, score: f32) -> Line {
        let one = &self.sentences[sentence];
        let whole = Line { sentence, score, pieces: Vec::new(), after: String::new() };
        if one.row.is_some() {
            return whole;
        }
        let text = &self.text_of(one.block)[..one.end_bytes];
        let dropped = dropped_bytes(&text[one.start_bytes..], &self.language);
        let start = one.start_bytes + dropped;
        let mut len = if one.words > LINE_WORDS_MAX { cut(&text[start..]) } else { None };
        // One without a clause is cut at a phrase where nobody would read it to its end.
        if len.is_none() && one.words > UNCUT_WORDS_MAX {
            len = Some(clip(text, start..text.len(), LINE_WORDS_MAX).end - start);
        }
        if dropped == 0 && len.is_none() {
            return whole;
        }
        let after = if len.is_some() { "…".into() } else { String::new() };
        let piece = capital(text, one.block, start..len.map_or(text.len(), |len| start + len));
        Line { pieces: vec![piece], after, ..whole }
    }

    /// Lines that are one sentence with its neighbour, where both fit and no line says that: the one before where the sentence refers to it,
    /// else the one behind.
    pub(super) fn with_neighbours(&self, mut lines: Vec<Line>) -> Vec<Line> {
        if self.ranked.len() < PAIRED_PAGE_SENTENCES {
            return lines;
        }
        for i in 0..lines.len() {
            let Some((first, last)) = self.pair(&lines[i]) else { continue };
            let sentence = lines[i].sentence;
            let neighbour = if first == sentence { last } else { first };
            let one = &self.sentences[neighbour];
            let says = |line: &Line| {
                self.say_the_same(neighbour, line.sentence)
                    || line
                        .pieces
                        .iter()
                        .any(|piece| piece.block == one.block && piece.bytes.contains(&one.start_bytes))
            };
            if lines.iter().enumerate().any(|(other, line)| other != i && says(line)) {
                continue;
            }
            let (start, end) = (self.sentences[first].start_bytes, self.sentences[last].end_bytes);
            let text = &self.text_of(one.block)[..end];
            let dropped = dropped_bytes(&text[start..], &self.language);
            lines[i].pieces = vec![capital(text, one.block, start + dropped..end)];
        }
        lines
    }

    /// The two sentences that a line of one may become.
    fn pair(&self, line: &Line) -> Option<(usize, usize)> {
        let one = &self.sentences[line.sentence];
        let is_own = |piece: &Piece| {
            piece.block == one.block
                && piece.bytes.end == one.end_bytes
                && piece.bytes.start <= one.start_bytes + CONNECTIVE_BYTES_MAX
        };
        let is_sentence = line.after.is_empty() && line.pieces.len() <= 1 && line.pieces.iter().all(is_own);
        let hangs = self.rank_of(line.sentence).is_some_and(|rank| self.words.hangs[rank]);
        match () {
            () if !is_sentence || one.row.is_some() => None,
            () if hangs => self.is_held(line.sentence).then(|| (line.sentence - 1, line.sentence)),
            () => {
                self.is_pair(line.sentence, line.sentence + 1).then_some((line.sentence, line.sentence + 1))
            }
        }
    }

    /// Whether a sentence that refers to the one before it can stand in a line with it.
    pub(super) fn is_held(&self, sentence: usize) -> bool {
        let hangs = |at: usize| self.rank_of(at).is_some_and(|rank| self.words.hangs[rank]);
        self.ranked.len() >= PAIRED_PAGE_SENTENCES
            && sentence > 0
            && self.is_pair(sentence - 1, sentence)
            && !hangs(sentence - 1)
    }

    /// Whether two sentences follow each other and fit in one line.
    fn is_pair(&self, one: usize, next: usize) -> bool {
        let stands = |at: usize| {
            self.rank_of(at).is_some_and(|rank| !self.words.is_poor[rank] && !self.words.announces[rank])
        };
        let words = |at: usize| self.sentences.get(at).map_or(LINE_WORDS_MAX, |sentence| sentence.words);
        words(one) + words(next) <= LINE_WORDS_MAX && self.adjoin(one, next) && stands(one) && stands(next)
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

/// A piece that begins a line: where its first letter is small, a capital is put for it.
pub(super) fn capital(text: &str, block: usize, bytes: Range<usize>) -> Piece {
    let first = text[bytes.clone()].chars().next().filter(|c| c.is_lowercase());
    match first {
        None => Piece { before: String::new(), block, bytes },
        Some(c) => {
            Piece { before: c.to_uppercase().collect(), block, bytes: bytes.start + c.len_utf8()..bytes.end }
        }
    }
}
