//! Sentences of a text, with their positions.
//!
//! `unicode-segmentation` proposes boundaries by the rules of UAX #29; this module adds those it misses (Thai spaces,
//! Greek question marks, footnote marks, numbers after a stop) and `joins` takes back those that are none
//! (abbreviations, initials, ordinals). `icu_segmenter` was weighed against it: the same UAX #29 rules without
//! suppressions, 83 kB of wasm against 75 kB (27 against 29 kB compressed), and some twenty crates more. So the rules
//! below would be needed with either, and the smaller dependency won.

use super::joins;
use super::words::{Script, is_invisible, script_of};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// A run of this many characters without a letter or digit ends a sentence. UAX #29's rule SB8 looks ahead from every
/// closing bracket and space after a stop; the bound keeps that linear on hostile text.
const SYMBOLS_RUN_MAX: usize = 24;
/// Text is split a window at a time, which bounds what a rule can look ahead at, and the work between two turns of a host.
const WINDOW_BYTES: usize = 4 << 10;
/// Boundaries this close to the end of a window wait for the next one, which sees what follows them.
const LOOK_AHEAD_BYTES: usize = 512;
/// Thai and its neighbours end sentences with a space, but also clauses and names: pieces are at least this long.
const UNSPACED_PIECE_CHARS_MIN: usize = 40;

/// Where a sentence is in its block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// In bytes of UTF-8.
    pub bytes: Range<usize>,
    /// In UTF-16 code units, as JavaScript slices.
    pub utf16: Range<usize>,
}

/// Splits a text into sentences, in order and without their surrounding white space. `language` is a primary subtag
/// ("en"); it chooses the abbreviations.
#[must_use]
pub fn split_sentences(text: &str, language: &str, chars_max: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut splitter = Splitter::new(text, language, chars_max);
    while splitter.split_window(&mut spans) > 0 {}
    spans
}

/// Splits a text window by window.
pub(crate) struct Splitter<'a> {
    text: &'a str,
    language: &'a str,
    chars_max: usize,
    window_bytes: usize,
    /// Where the next window begins.
    at: usize,
    /// A place in bytes, and the same in UTF-16 code units.
    counted: (usize, usize),
}

impl<'a> Splitter<'a> {
    pub(crate) fn new(text: &'a str, language: &'a str, chars_max: usize) -> Self {
        let chars_max = chars_max.max(2);
        // Only sentences that are cut in any case exceed a window.
        let window_bytes = WINDOW_BYTES.max(LOOK_AHEAD_BYTES + chars_max.saturating_mul(4));
        Self { text, language, chars_max, window_bytes, at: 0, counted: (0, 0) }
    }

    /// Adds the sentences of the next window, and says how many bytes it had: 0 at the end of the text.
    pub(crate) fn split_window(&mut self, out: &mut Vec<Span>) -> usize {
        let (text, start) = (self.text, self.at);
        let (end, whole) = calm_end(text, start, self.window_bytes);
        let sure_end = if whole { end } else { end - LOOK_AHEAD_BYTES };
        let mut ranges = Vec::new();
        for cut in boundaries(text, start..end, self.language) {
            if cut > self.at && cut <= sure_end && !joins::joins(text, self.at, cut, self.language) {
                ranges.push(self.at..cut);
                self.at = cut;
            }
        }
        if whole && self.at < end {
            ranges.push(self.at..end);
            self.at = end;
        } else if self.at == start && start < end {
            let space = text[start..end].rfind(char::is_whitespace).filter(|&at| at > 0);
            self.at = space.map_or(end, |at| start + at);
            ranges.push(start..self.at);
        }
        let mut pieces = Vec::new();
        for range in ranges {
            split_unspaced(text, range, &mut |piece| split_long(text, piece, self.chars_max, &mut pieces));
        }
        for bytes in pieces {
            out.push(Span { utf16: self.utf16(bytes.start)..self.utf16(bytes.end), bytes });
        }
        end - start
    }

    /// A place in UTF-16 code units. Places are asked for in ascending order.
    fn utf16(&mut self, byte: usize) -> usize {
        let (counted_byte, unit) = self.counted;
        self.counted = (byte, unit + self.text[counted_byte..byte].encode_utf16().count());
        self.counted.1
    }
}

/// Where the piece of text that begins at `start` ends: behind a long run of symbols, so that a piece has none inside, and
/// whether it ends there in any case. It has at most `bytes_max`, and a character.
fn calm_end(text: &str, start: usize, bytes_max: usize) -> (usize, bool) {
    let mut symbols = 0usize;
    for (at, c) in text[start..].char_indices() {
        if c.is_alphanumeric() {
            if symbols > SYMBOLS_RUN_MAX {
                return (start + at, true);
            }
            symbols = 0;
        } else {
            symbols += 1;
            // Within an endless run, cut too: the look-ahead is bounded by the piece.
            if symbols > SYMBOLS_RUN_MAX * 8 {
                return (start + at, true);
            }
        }
        if at >= bytes_max {
            return (start + at, false);
        }
    }
    (text.len(), true)
}

/// Places where a sentence may begin, ascending, within `range`.
fn boundaries(text: &str, range: Range<usize>, language: &str) -> Vec<usize> {
    let piece = &text[range.clone()];
    let mut cuts: Vec<usize> = piece
        .split_sentence_bound_indices()
        .map(|(at, part)| settle(text, range.clone(), range.start + at + part.len()))
        .collect();
    more_boundaries(piece, range.start, language, &mut cuts);
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// Moves a boundary before an opening bracket that the rules gave to the sentence on the left, or behind a closing
/// one that they gave to the right.
fn settle(text: &str, Range { start, end }: Range<usize>, cut: usize) -> usize {
    // A run of line ends has a boundary at each, and is walked once.
    let Some(next) = text[cut..end].chars().next().filter(|c| !c.is_whitespace()) else { return cut };
    let (from, mut cut) = (cut, cut);
    loop {
        let kept = text[start..cut].trim_end();
        let Some(last) = kept.chars().next_back() else { break };
        let at = start + kept.len() - last.len_utf8();
        // With a space behind it, a mark opens only if there is one before it too.
        let is_apart = at + last.len_utf8() == cut || text[start..at].ends_with(char::is_whitespace);
        if !joins::is_opening(last) || !is_apart {
            break;
        }
        cut = at;
    }
    if cut != from {
        return cut;
    }
    let opens = joins::is_opening(next) && text[start..cut].ends_with(char::is_whitespace);
    if joins::is_closing(next) && !opens {
        let after = cut + next.len_utf8();
        let rest = &text[after..end];
        let alone = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
        if alone && next != '"' {
            return end - rest.trim_start().len();
        }
    }
    cut
}

/// Boundaries that UAX #29 does not know.
fn more_boundaries(piece: &str, offset: usize, language: &str, cuts: &mut Vec<usize>) {
    let mut before = [' '; 2];
    // Where a stop and what clings to it (closing marks, footnote marks) has been seen.
    let mut stopped = false;
    let mut in_note = false;
    let mut spaced = false;
    for (at, c) in piece.char_indices() {
        if stopped && spaced && !c.is_whitespace() {
            // SB8 sees a lower-case letter further on and joins "in 1999. 12 people" and "it works. iPhones".
            let word = || piece[at..].chars().take_while(|c| c.is_alphanumeric());
            let capital_inside = || word().skip(1).take(2).any(char::is_uppercase);
            // SB8a takes a dash for a continuation, but it opens speech: "—¿Vienes? —No."
            let speech = || matches!(c, '—' | '–') && opens_speech(&piece[at..]);
            if c.is_numeric() || c.is_uppercase() || (c.is_lowercase() && capital_inside()) || speech() {
                cuts.push(offset + at);
            }
            stopped = false;
        }
        spaced = c.is_whitespace();
        match c {
            '.' | '!' | '?' | '…' => stopped = true,
            // Armenian's full stop is often written as a colon.
            ':' if language == "hy" => stopped = true,
            ';' if before[0].is_alphabetic() && is_greek(before[0]) => {
                let rest = &piece[at + 1..];
                if rest.starts_with(char::is_whitespace) {
                    cuts.push(offset + piece.len() - rest.trim_start().len());
                }
            }
            '[' if stopped => in_note = true,
            ']' => in_note = false,
            _ if c.is_whitespace() || joins::is_closing(c) || is_superscript(c) => {}
            _ if in_note && (c.is_numeric() || c.is_lowercase()) => {}
            _ => {
                stopped = false;
                in_note = false;
            }
        }
        // Tibetan ends sentences with a stroke and a space.
        if c.is_whitespace() && before[0] == '\u{0F0D}' {
            cuts.push(offset + at + c.len_utf8());
        }
        before = [c, before[0]];
    }
}

/// A dash, then a capital letter.
fn opens_speech(text: &str) -> bool {
    let mut inside =
        text.chars().skip_while(|c| matches!(c, '—' | '–' | '¿' | '¡' | '«' | '"') || c.is_whitespace());
    inside.next().is_some_and(char::is_uppercase)
}

fn is_greek(c: char) -> bool {
    ('\u{0370}'..='\u{03FF}').contains(&c) || ('\u{1F00}'..='\u{1FFF}').contains(&c)
}

fn is_superscript(c: char) -> bool {
    matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹')
}

/// Cuts long stretches of scripts without stops at spaces.
fn split_unspaced(text: &str, range: Range<usize>, emit: &mut impl FnMut(Range<usize>)) {
    let mut start = range.start;
    let (mut chars, mut last) = (0usize, ' ');
    for (at, c) in text[range.clone()].char_indices() {
        let at = range.start + at;
        if last == ' ' && chars >= UNSPACED_PIECE_CHARS_MIN && begins_unspaced(c) {
            emit(start..at);
            start = at;
            chars = 0;
        }
        // A space after a repetition sign or a shortened name belongs to the phrase.
        let phrase_goes_on = c == ' ' && matches!(last, 'ๆ' | 'ฯ');
        last = if phrase_goes_on || (c == ' ' && script_of(last) != Script::Unspaced) { '-' } else { c };
        chars += usize::from(script_of(c) == Script::Unspaced);
    }
    emit(start..range.end);
}

/// Thai words that link a clause to the one before.
fn begins_unspaced(c: char) -> bool {
    script_of(c) == Script::Unspaced && c.is_alphabetic() && c != 'ๆ'
}

/// Cuts what is longer than `chars_max` at the last clause mark or space before it, else anywhere.
fn split_long(text: &str, range: Range<usize>, chars_max: usize, out: &mut Vec<Range<usize>>) {
    let mut start = range.start;
    let (mut chars, mut at_space, mut at_clause) = (0usize, start, start);
    for (at, c) in text[range.clone()].char_indices() {
        let at = range.start + at;
        if chars >= chars_max {
            let half = start + (at - start) / 2;
            let cut = if at_clause > half {
                at_clause
            } else if at_space > half {
                at_space
            } else {
                at
            };
            push_trimmed(text, start..cut, out);
            chars = text[cut..at].chars().count();
            start = cut;
        }
        chars += 1;
        let after = at + c.len_utf8();
        match c {
            ';' | ':' | '；' | '，' | '、' | '：' => at_clause = after,
            _ if c.is_whitespace() => at_space = after,
            _ => {}
        }
    }
    push_trimmed(text, start..range.end, out);
}

/// Leaves out surrounding space and list marks; drops what holds no letter or digit.
fn push_trimmed(text: &str, range: Range<usize>, out: &mut Vec<Range<usize>>) {
    let is_space = |c: char| c.is_whitespace() || is_invisible(c) || c.is_control();
    let is_mark =
        |c: char| is_space(c) || matches!(c, '•' | '·' | '▪' | '◦' | '‣' | '●' | '■' | '►' | '*' | '#' | '|');
    let piece = &text[range.clone()];
    let head = piece.len() - piece.trim_start_matches(is_mark).len();
    let kept = piece.trim_end_matches(is_space);
    if head < kept.len() && kept[head..].chars().any(char::is_alphanumeric) {
        out.push(range.start + head..range.start + kept.len());
    }
}
