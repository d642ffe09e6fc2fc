//! Composes the lines of a summary. What joins the pieces of a line is not from the page.

use std::ops::Range;

use super::Digest;
use super::clip::{LINE_WORDS_MAX, clip, trim};
use super::connectives::dropped_bytes;
use super::headings as names;
use super::labels::{is_question, number_bytes};
use super::lines::{Line, Piece, capital};
use super::noise::Noise;
use super::outline::Section;
use super::page::BlockKind;
use super::words::count_words;

/// Items that are looked at for one line.
const ITEMS_MAX: usize = 200;

/// A line that is being put together.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub(super) pieces: Vec<Piece>,
    /// What stands behind the last piece.
    pub(super) after: String,
    words: usize,
}

impl Draft {
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(super) fn words(&self) -> usize {
        self.words
    }
}

/// Composes the lines of one summary.
pub(super) struct Composer<'a> {
    pub(super) digest: &'a Digest,
    /// A score for each ranked sentence.
    pub(super) scores: &'a [f32],
    /// The lowest and the highest score.
    pub(super) bounds: (f32, f32),
    pub(super) lines_max: usize,
    pub(super) lines: Vec<Line>,
}

impl<'a> Composer<'a> {
    /// How many lines may follow.
    pub(super) fn room(&self) -> usize {
        self.lines_max.saturating_sub(self.lines.len())
    }

    pub(super) fn sections(&self) -> &'a [Section] {
        &self.digest.outline.sections
    }

    /// The text of a block, without white space around it and without marks at its end that belong to a heading only.
    pub(super) fn text(&self, block: usize) -> &'a str {
        self.digest.text_of(block)
    }

    /// The first section whose heading is called one of these.
    pub(super) fn section(&self, names: &str) -> Option<&'a Section> {
        self.sections().iter().find(|section| names::is_called(self.text(section.heading), names))
    }

    /// All sections whose heading is called one of these.
    pub(super) fn sections_called(&self, names: &'a str) -> impl Iterator<Item = &'a Section> {
        self.sections()
            .iter()
            .filter(move |section| names::is_called(self.digest.text_of(section.heading), names))
    }

    fn part(&self, block: usize) -> Option<&'a super::outline::Part> {
        self.digest.outline.parts.get(block)
    }

    /// Blocks of a kind within a range.
    pub(super) fn blocks(&self, range: &Range<usize>, kind: BlockKind) -> Vec<usize> {
        let is_it = |block: &usize| self.part(*block).is_some_and(|part| part.kind == kind);
        range.clone().filter(is_it).take(ITEMS_MAX).collect()
    }

    /// Items and short paragraphs of a range that are no boilerplate.
    pub(super) fn items(&self, range: &Range<usize>) -> Vec<usize> {
        let items = self.blocks(range, BlockKind::ListItem);
        items.into_iter().filter(|&block| self.is_content(block)).collect()
    }

    fn is_content(&self, block: usize) -> bool {
        let Some(part) = self.part(block) else { return false };
        let sentences = &self.digest.sentences[part.sentences.clone()];
        !sentences.iter().all(|one| matches!(one.noise, Some(Noise::Boilerplate | Noise::Reference)))
            || sentences.is_empty()
    }

    /// Sentences of a range of blocks that may stand in a summary and alone, in page order.
    pub(super) fn sentences(&self, range: &Range<usize>) -> Vec<usize> {
        let parts = &self.digest.outline.parts;
        let (Some(first), Some(last)) = (parts.get(range.start), parts.get(range.end.wrapping_sub(1))) else {
            return Vec::new();
        };
        (first.sentences.start..last.sentences.end).filter(|&at| self.stands(at)).take(ITEMS_MAX).collect()
    }

    /// Whether a sentence can be understood alone and says something.
    pub(super) fn stands(&self, sentence: usize) -> bool {
        let Some(rank) = self.digest.rank_of(sentence) else { return false };
        let words = &self.digest.words;
        (!words.hangs[rank] || self.digest.is_held(sentence))
            && !words.announces[rank]
            && !words.is_poor[rank]
    }

    pub(super) fn score(&self, sentence: usize) -> f32 {
        self.digest.rank_of(sentence).map_or(f32::MIN, |rank| self.scores[rank])
    }

    /// The place of a sentence between the weakest and the strongest of the page, 0 to 1.
    fn relevance(&self, sentence: usize) -> f32 {
        let (low, high) = self.bounds;
        if high > low { ((self.score(sentence) - low) / (high - low)).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// The best sentence of some.
    pub(super) fn best(&self, sentences: &[usize]) -> Option<usize> {
        let open = sentences.iter().copied().filter(|&at| !self.is_said(at));
        open.reduce(|a, b| if self.score(b) > self.score(a) { b } else { a })
    }

    /// The first sentence of a range that says something.
    pub(super) fn first(&self, range: &Range<usize>) -> Option<usize> {
        self.sentences(range).into_iter().find(|&at| self.digest.sentences[at].words >= 5)
    }

    /// Whether a line has a piece of a block already.
    pub(super) fn has_said(&self, block: usize) -> bool {
        self.lines.iter().any(|line| line.pieces.iter().any(|piece| piece.block == block))
    }

    /// Whether a line says already what a sentence says.
    pub(super) fn is_said(&self, sentence: usize) -> bool {
        let one = &self.digest.sentences[sentence];
        let overlaps = |piece: &Piece| {
            piece.block == one.block && piece.bytes.start < one.end_bytes && piece.bytes.end > one.start_bytes
        };
        self.lines.iter().any(|line| {
            line.sentence == sentence
                || (line.pieces.is_empty() && self.digest.say_the_same(sentence, line.sentence))
                || line.pieces.iter().any(overlaps)
        })
    }

    /// Adds a sentence as a line; one that is too long is cut at a clause.
    pub(super) fn say(&mut self, sentence: usize) -> bool {
        if self.room() == 0 || self.is_said(sentence) {
            return false;
        }
        let line = self.digest.sentence_line(sentence, self.relevance(sentence));
        self.lines.push(line);
        true
    }

    /// Adds a line of pieces.
    pub(super) fn add(&mut self, draft: Draft) -> bool {
        if self.room() == 0 || draft.is_empty() {
            return false;
        }
        let first = &draft.pieces[0];
        let sentences = &self.digest.sentences;
        // The sentence that the line rests on: of its pieces, or the next one on the page.
        let of_piece = |piece: &Piece| {
            let at = sentences
                .partition_point(|one| (one.block, one.end_bytes) <= (piece.block, piece.bytes.start));
            sentences.get(at).filter(|one| one.block == piece.block).map(|_| at)
        };
        let next =
            sentences.partition_point(|one| one.block < first.block).min(sentences.len().saturating_sub(1));
        let sentence = draft.pieces.iter().find_map(of_piece).unwrap_or(next);
        if self.lines.iter().any(|line| line.pieces == draft.pieces) {
            return false;
        }
        self.lines.push(Line { sentence, score: 1.0, pieces: draft.pieces, after: draft.after });
        true
    }

    /// Adds a whole block to a draft, without its number, its beginning where it is long; false where the line has no room for it. A row
    /// of which only the first cell would stand says nothing.
    pub(super) fn put(&self, draft: &mut Draft, before: &str, block: usize, words_max: usize) -> bool {
        let text = self.text(block);
        let mut whole = trim(text);
        whole.start += number_bytes(&text[whole.clone()]);
        let range = clip(text, whole.clone(), words_max);
        let is_row = self.part(block).is_some_and(|part| part.kind == BlockKind::Table);
        let cells = |range: &Range<usize>| text[range.clone()].split('\t').count();
        if is_row && cells(&whole) > 1 && cells(&range) == 1 {
            return false;
        }
        self.put_range(draft, before, block, range)
    }

    /// Rows of tables within a range, but for those that only name the columns.
    pub(super) fn rows(&self, range: &Range<usize>) -> Vec<usize> {
        let names_columns = |&block: &usize| {
            let headers = self.digest.headers.get(&(block + 1)).or(self.digest.headers.get(&block));
            let cells = || self.text(block).split('\t').map(str::trim);
            headers.is_some_and(|headers| {
                !headers.is_empty() && cells().eq(headers.iter().map(String::as_str).take(cells().count()))
            })
        };
        self.blocks(range, BlockKind::Table).into_iter().filter(|block| !names_columns(block)).collect()
    }

    /// Adds a part of a block to a draft.
    pub(super) fn put_range(
        &self,
        draft: &mut Draft,
        before: &str,
        block: usize,
        bytes: Range<usize>,
    ) -> bool {
        let text = &self.text(block)[bytes.clone()];
        let words = count_words(text);
        if text.is_empty() || (!draft.is_empty() && draft.words + words > LINE_WORDS_MAX) {
            return false;
        }
        let said = |piece: &Piece| piece.block == block && piece.bytes == bytes;
        if draft.pieces.iter().any(said) {
            return false;
        }
        draft.words += words;
        draft.pieces.push(Piece {
            before: if draft.is_empty() { String::new() } else { before.into() },
            block,
            bytes,
        });
        true
    }

    /// Adds a sentence to a draft, without its full stop where more may follow, and without the word that joins it to the one before.
    pub(super) fn put_sentence(
        &self,
        draft: &mut Draft,
        before: &str,
        sentence: usize,
        words_max: usize,
    ) -> bool {
        let one = &self.digest.sentences[sentence];
        let text = self.text(one.block);
        let start =
            one.start_bytes + dropped_bytes(&text[one.start_bytes..one.end_bytes], self.digest.language());
        let range = clip(text, start..one.end_bytes, words_max);
        let begins = draft.is_empty();
        let is_put = self.put_range(draft, before, one.block, range);
        if begins
            && start > one.start_bytes
            && let Some(piece) = draft.pieces.last_mut()
        {
            *piece = capital(text, one.block, piece.bytes.clone());
        }
        is_put
    }

    /// "heading: a; b; c": as many of the items as the line has room for. `None` where no item has.
    pub(super) fn list(
        &self,
        label: Option<usize>,
        blocks: &[usize],
        each_words: usize,
        between: &str,
    ) -> Option<Draft> {
        let mut draft = Draft::default();
        if let Some(label) = label {
            self.put_label(&mut draft, label);
        }
        let labelled = !draft.is_empty();
        let mut items = 0;
        for &block in blocks {
            let before = if items == 0 && labelled { self.after_label(label) } else { between };
            if self.put(&mut draft, before, block, each_words) {
                items += 1;
            } else if draft.words() + 4 > LINE_WORDS_MAX {
                break;
            }
        }
        (items > 0).then_some(draft)
    }

    /// What stands behind a label: a question has its mark.
    pub(super) fn after_label(&self, label: Option<usize>) -> &'static str {
        if label.is_some_and(|block| is_question(self.text(block))) { " " } else { ": " }
    }

    /// A heading without the colon, the numbers and marks that it may end with.
    pub(super) fn put_label(&self, draft: &mut Draft, block: usize) -> bool {
        let text = self.text(block);
        let range = clip(text, trim(text), 14);
        let label = text[range.clone()].trim_end_matches([':', '：', '¶', '#', ' ', '.']);
        self.put_range(draft, "", block, range.start..range.start + label.len())
    }

    /// Fills up with the best sentences of the whole page, or of a part of it.
    pub(super) fn fill(&mut self, count: usize) {
        let wanted = self.lines.len() + count.min(self.room());
        let digest = self.digest;
        let chosen = digest.choose(self.scores, wanted, &self.lines);
        for line in chosen {
            if self.lines.len() >= wanted {
                break;
            }
            if !self.is_said(line.sentence) {
                let line = digest.sentence_line(line.sentence, line.score);
                self.lines.push(line);
            }
        }
    }
}
