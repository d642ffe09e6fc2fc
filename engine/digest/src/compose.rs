//! Lines that are put together from pieces of a page. Every piece is the page's own text at its place; what joins them is not.

use std::ops::Range;

use super::Digest;
use super::kinds::names;
use super::noise::Noise;
use super::openers;
use super::outline::Section;
use super::page::BlockKind;
use super::summary::Line;
use super::vectors::Vectors;
use super::words::{Script, count_words, script_of};

use unicode_segmentation::UnicodeSegmentation;

/// Longest line, in words.
pub(super) const LINE_WORDS_MAX: usize = 30;
/// A sentence that is cut keeps so many words at least.
const CUT_WORDS_MIN: usize = 12;
/// Items that are looked at for one line.
const ITEMS_MAX: usize = 200;

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
    pub(super) vectors: Option<&'a Vectors>,
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
        !words.hangs[rank] && !words.announces[rank] && !words.is_poor[rank]
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

    /// Whether a line says already what a sentence says.
    pub(super) fn is_said(&self, sentence: usize) -> bool {
        let block = self.digest.sentences[sentence].block;
        self.lines.iter().any(|line| {
            line.sentence == sentence
                || (line.pieces.is_empty() && self.digest.say_the_same(sentence, line.sentence, self.vectors))
                || line.pieces.iter().any(|piece| {
                    piece.block == block && piece.bytes.contains(&self.digest.sentences[sentence].start_bytes)
                })
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

    /// Adds a whole block to a draft, its beginning where it is long; false where the line has no room for it.
    pub(super) fn put(&self, draft: &mut Draft, before: &str, block: usize, words_max: usize) -> bool {
        let text = self.text(block);
        let range = clip(text, trim(text), words_max);
        self.put_range(draft, before, block, range)
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

    /// Adds a sentence to a draft, without its full stop where more may follow.
    pub(super) fn put_sentence(
        &self,
        draft: &mut Draft,
        before: &str,
        sentence: usize,
        words_max: usize,
    ) -> bool {
        let one = &self.digest.sentences[sentence];
        let text = self.text(one.block);
        let range = clip(text, one.start_bytes..one.end_bytes, words_max);
        self.put_range(draft, before, one.block, range)
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
            let before = if items == 0 && labelled { ": " } else { between };
            if self.put(&mut draft, before, block, each_words) {
                items += 1;
            } else if draft.words() + 4 > LINE_WORDS_MAX {
                break;
            }
        }
        (items > 0).then_some(draft)
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
        let chosen = digest.choose(self.scores, wanted, self.vectors, &self.lines);
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

/// The text without white space at its ends.
fn trim(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// The beginning of a range: up to its first sentence's end or a clause within so many words, without the mark at its end.
pub(super) fn clip(text: &str, range: Range<usize>, words_max: usize) -> Range<usize> {
    let piece = &text[range.clone()];
    let mut len = piece.len();
    if count_words(piece) > words_max {
        let mut best = None;
        for (at, c) in piece.char_indices() {
            let is_mark =
                matches!(c, '.' | ';' | ':' | ',' | '(' | '—' | '–' | '。' | '，' | '；' | '、' | '：');
            let next = piece[at + c.len_utf8()..].chars().next();
            if !is_mark || (c.is_ascii() && c != '(' && !next.is_none_or(char::is_whitespace)) {
                continue;
            }
            let words = count_words(&piece[..at]);
            if words > words_max {
                break;
            }
            if words >= 2 {
                best = Some(at);
                if matches!(c, '.' | '。') && next.is_none_or(char::is_whitespace) {
                    break;
                }
            }
        }
        len = best.unwrap_or_else(|| words_len(piece, words_max));
    }
    let kept = piece[..len].trim_end_matches(|c: char| {
        c.is_whitespace()
            || matches!(c, '.' | ';' | ':' | ',' | '。' | '，' | '；' | '、' | '：' | '(' | '—' | '–')
    });
    range.start..range.start + kept.len()
}

/// The length of the first words of a text, in bytes: whole words, and no article or preposition at the end.
fn words_len(text: &str, words: usize) -> usize {
    const LOOSE_CHARS_MAX: usize = 4;
    let ends = text.unicode_word_indices().map(|(at, word)| (at, at + word.len()));
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for (at, end) in ends {
        if count_words(&text[..end]) > words {
            break;
        }
        kept.push((at, end));
    }
    let loose = |&(at, end): &(usize, usize)| {
        let word = &text[at..end];
        word.chars().count() <= LOOSE_CHARS_MAX
            && word.chars().all(|c| c.is_lowercase() && script_of(c) == Script::Spaced)
    };
    while kept.len() > 3 && kept.last().is_some_and(loose) {
        kept.pop();
    }
    kept.last().map_or(0, |&(_, end)| end)
}

/// Where a long sentence can end: before a clause, outside of brackets and quotations, at most [`LINE_WORDS_MAX`] words in.
fn cut(sentence: &str) -> Option<usize> {
    const CLAUSES: &str = "and ;but ;which ;while ;although ;though ;because ;as ;so ;after ;before ;when ;who ;where ;with ;including ;und ;aber ;weil ;während ;\
        obwohl ;da ;die ;der ;das ;wobei ;et ;mais ;qui ;car ;alors ;y ;pero ;que ;mientras ;aunque ;ma ;che ;mentre ;mas ;enquanto ;en ;maar ;die ;omdat ;\
        i ;ale ;który ;która ;które ;и ;но ;а ;который ;которая ;которые ;что ";
    let (mut depth, mut quoted) = (0i32, false);
    let mut found = None;
    let mut weak = None;
    for (at, c) in sentence.char_indices() {
        match c {
            '(' | '[' | '（' | '「' | '«' | '„' => depth += 1,
            ')' | ']' | '）' | '」' | '»' => depth -= 1,
            '“' if depth > 0 => depth -= 1,
            '“' => depth += 1,
            '”' => depth -= 1,
            '"' => quoted = !quoted,
            _ => {}
        }
        let after = at + c.len_utf8();
        let rest = &sentence[after..];
        let strong = matches!(c, ';' | '；' | '—' | '–') || (c == ':' && rest.starts_with(' '));
        let comma = matches!(c, ',' | '，' | '、' | '،');
        if depth > 0 || quoted || !(strong || comma) || (c.is_ascii() && !rest.starts_with(' ')) {
            continue;
        }
        let words = count_words(&sentence[..at]);
        if words > LINE_WORDS_MAX {
            break;
        }
        if words < CUT_WORDS_MIN {
            continue;
        }
        let next = rest.trim_start().to_lowercase();
        if strong || !c.is_ascii() || CLAUSES.split(';').any(|word| next.starts_with(word)) {
            found = Some(at);
        } else if words * 3 >= LINE_WORDS_MAX * 2 {
            weak = Some(at);
        }
    }
    let len = found.or(weak)?;
    let kept = sentence[..len].trim_end();
    (!openers::announces(kept)).then_some(kept.len())
}

#[cfg(test)]
mod tests {
    use super::{clip, cut};

    #[test]
    fn long_sentences_end_at_a_clause() {
        let sentence = "The council voted on Monday to rebuild the old footbridge in larch and oak instead of steel, which will cost 40,000 euros more, \
                        because the weight of steel would have called for new piers in the river bed";
        assert_eq!(
            &sentence[..cut(sentence).unwrap_or_default()],
            "The council voted on Monday to rebuild the old footbridge in larch and oak instead of steel, which will cost 40,000 euros more"
        );
        assert_eq!(cut("no clause here at all"), None);
    }

    #[test]
    fn pieces_end_before_a_mark() {
        let clipped = |text: &'static str, words| &text[clip(text, 0..text.len(), words)];
        assert_eq!(clipped("8 chicken thighs, skin on", 6), "8 chicken thighs, skin on");
        assert_eq!(
            clipped("Heat the oven to 200 °C. Season the thighs with salt.", 8),
            "Heat the oven to 200 °C"
        );
        assert_eq!(clipped("One ripe tomato sliced into the pan", 6), "One ripe tomato sliced");
        assert_eq!(clipped("材料を切る。鍋に入れて煮る。", 4), "材料を切る");
    }
}
