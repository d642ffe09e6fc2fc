//! Cuts a text into words by the rules of a preset.

use super::charclass::{Classes, DIGIT_ASCII, LETTER, MARK, NEWLINE, NUMBER, SPACE, WHITESPACE};
use super::ranges::Ranges;
use super::rules::{Alternative, Class, Part, Pass};
use super::slices::{RUN, Turns};
use std::cell::{Cell, OnceCell};
use std::ops::Range;

/// Cuts `text` into words, byte ranges in order that cover it; `classes` is scratch space.
pub(crate) async fn split(
    passes: &[Pass],
    text: &str,
    classes: &mut Classes,
    words: &mut Vec<Range<usize>>,
    turns: &Turns,
) {
    words.clear();
    classes.read(text);
    turns.spend(text.len() / 64).await;
    let mut spans: Vec<Range<usize>> = std::iter::once(0..classes.bits.len()).collect();
    for pass in passes {
        let mut next = Vec::with_capacity(spans.len());
        for range in spans {
            turns.spend(range.len() / 16).await;
            match pass {
                Pass::Words(alternatives) => {
                    let span = Span::new(text, classes, &range);
                    // Where characters that nothing matched begin: they stay together.
                    let (mut at, mut unmatched) = (range.start, range.start);
                    while at < range.end {
                        let end = range.end.min(at + RUN);
                        (at, unmatched) = cut(alternatives, &span, at..end, unmatched, &mut next);
                        turns.spend(RUN.min(range.len()) / 4).await;
                    }
                    if unmatched < at {
                        next.push(unmatched..at);
                    }
                }
                Pass::Thousands => cut_thousands(classes, NUMBER, false, range, &mut next),
                Pass::ThousandsAscii => cut_thousands(classes, DIGIT_ASCII, true, range, &mut next),
            }
        }
        spans = next;
    }
    let offsets = &classes.offsets;
    words.extend(spans.into_iter().map(|span| offsets[span.start] as usize..offsets[span.end] as usize));
    words.retain(|word| !word.is_empty());
}

/// Cuts off the words that begin in `range`. Where the next one may begin, and since where nothing matched.
fn cut(
    alternatives: &[Alternative],
    span: &Span<'_>,
    range: Range<usize>,
    mut unmatched: usize,
    words: &mut Vec<Range<usize>>,
) -> (usize, usize) {
    let mut at = range.start;
    while at < range.end {
        match alternatives.iter().find_map(|parts| span.match_parts(parts, at)).filter(|&end| end > at) {
            Some(end) => {
                if unmatched < at {
                    words.push(unmatched..at);
                }
                words.push(at..end);
                at = end;
                unmatched = end;
            }
            None => at += 1,
        }
    }
    (at, unmatched)
}

/// Cuts inside each run of digits wherever a multiple of three of them remain: where some do also before the first of
/// them (`at_start`), else behind the last.
fn cut_thousands(
    classes: &Classes,
    digit: u32,
    at_start: bool,
    span: Range<usize>,
    words: &mut Vec<Range<usize>>,
) {
    let is_digit = |at: &usize| classes.bits[*at] & digit != 0;
    let (mut at, mut uncut) = (span.start, span.start);
    while at < span.end {
        let run_end = (at..span.end).find(|at| !is_digit(at)).unwrap_or(span.end);
        let cuts = if at_start { at..run_end } else { at + 1..run_end + 1 };
        for cut in cuts.filter(|cut| run_end > at && (run_end - cut) % 3 == 0) {
            words.push(uncut..cut);
            uncut = cut;
        }
        at = run_end.max(at + 1);
    }
    if uncut < span.end {
        words.push(uncut..span.end);
    }
}

/// Characters from `start` to `end`, as the alternatives see them: look-ahead stops there too.
struct Span<'a> {
    text: &'a str,
    classes: &'a Classes,
    start: usize,
    end: usize,
    /// Up to here no white space is known to be followed by a line break.
    unbroken: Cell<usize>,
    /// Where the white space at the end begins, once it was asked for.
    blank_end: OnceCell<usize>,
}

impl<'a> Span<'a> {
    fn new(text: &'a str, classes: &'a Classes, span: &Range<usize>) -> Self {
        let (unbroken, blank_end) = (Cell::new(span.start), OnceCell::new());
        Span { text, classes, start: span.start, end: span.end, unbroken, blank_end }
    }

    /// Where a match of all parts that begins at `at` ends. Runs are greedy and give characters back one by one where
    /// the rest does not match. Recursion is as deep as the list.
    fn match_parts(&self, parts: &[Part], at: usize) -> Option<usize> {
        let Some((part, rest)) = parts.split_first() else { return Some(at) };
        let end = match *part {
            Part::Run { class, min, max } => {
                let mut len = self.run_len(at, &class, max);
                loop {
                    if len < min {
                        return None;
                    }
                    if let Some(end) = self.match_parts(rest, at + len) {
                        return Some(end);
                    }
                    len = len.checked_sub(1)?;
                }
            }
            Part::Literal(literal) => {
                let bytes = self.classes.offsets[at] as usize..self.classes.offsets[self.end] as usize;
                self.text[bytes].starts_with(literal).then(|| at + literal.chars().count())?
            }
            Part::Breaks => self.breaks(at)?,
            Part::BlankEnd => {
                let blank = |at: &usize| self.bits(*at) & WHITESPACE != 0;
                let first = || (self.start..self.end).rev().take_while(blank).last().unwrap_or(self.end);
                (at < self.end && at >= *self.blank_end.get_or_init(first)).then_some(self.end)?
            }
            Part::NoWordNext => (at == self.end || self.bits(at) & WHITESPACE != 0).then_some(at)?,
            Part::Contraction => self.contraction(at, false)?,
            Part::ContractionAnyCase => self.contraction(at, true)?,
            Part::MaybeContraction => self.contraction(at, true).unwrap_or(at),
            Part::Phrase => self.phrase(at)?,
        };
        self.match_parts(rest, end)
    }

    /// Class bits of a character, none at the end.
    fn bits(&self, at: usize) -> u32 {
        if at < self.end { self.classes.bits[at] } else { 0 }
    }

    fn run_len(&self, at: usize, class: &Class, max: usize) -> usize {
        let bits = &self.classes.bits[at..self.end];
        if class.also.is_empty() && class.never.is_empty() {
            return bits.iter().take(max).take_while(|&&bits| bits & class.bits != 0).count();
        }
        let holds = |at: usize| {
            (self.bits(at) & class.bits != 0 && !self.is_in(at, class.never)) || self.is_in(at, class.also)
        };
        (at..self.end).take(max).take_while(|&at| holds(at)).count()
    }

    /// White space beyond ASCII is in no range: the reference implementation hides it from such rules.
    fn is_in(&self, at: usize, ranges: Ranges) -> bool {
        let first = self.text[self.classes.offsets[at] as usize..].chars().next();
        let Some(c) = first.filter(|c| c.is_ascii() || self.bits(at) & WHITESPACE == 0) else { return false };
        ranges.iter().any(|&(first, last)| (first..=last).contains(&c))
    }

    /// White space up to the last line break in it. Where there is none that is remembered, so that a long run of
    /// spaces is not searched from each of them.
    fn breaks(&self, at: usize) -> Option<usize> {
        if at < self.unbroken.get() {
            return None;
        }
        let mut end = at;
        let mut last = None;
        while self.bits(end) & WHITESPACE != 0 {
            last = if self.bits(end) & NEWLINE != 0 { Some(end + 1) } else { last };
            end += 1;
        }
        if last.is_none() {
            self.unbroken.set(end);
        }
        last
    }

    /// A letter, then letters and marks, and single spaces that a letter follows.
    fn phrase(&self, at: usize) -> Option<usize> {
        let letter = |at: usize| self.bits(at) & LETTER != 0;
        let mut end = letter(at).then_some(at)?;
        loop {
            end += match self.bits(end) {
                bits if bits & (LETTER | MARK) != 0 => 1,
                SPACE if letter(end + 1) => 2,
                _ => return Some(end),
            };
        }
    }

    /// `'s 't 'm 'd 're 've 'll`.
    fn contraction(&self, at: usize, any_case: bool) -> Option<usize> {
        let letter = |i: usize| {
            let offset = |at: usize| self.classes.offsets[at] as usize;
            let byte = if at + i < self.end { self.text.as_bytes()[offset(at + i)] } else { 0 };
            if any_case { byte.to_ascii_lowercase() } else { byte }
        };
        if letter(0) != b'\'' {
            return None;
        }
        match (letter(1), letter(2)) {
            (b's' | b't' | b'm' | b'd', _) => Some(at + 2),
            (b'r' | b'v', b'e') | (b'l', b'l') => Some(at + 3),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::super::presets::preset;
    use super::super::slices::finished;
    use super::*;

    fn words<'t>(name: &str, text: &'t str) -> Vec<&'t str> {
        let mut words = Vec::new();
        let passes = preset(name).unwrap().passes;
        finished(split(passes, text, &mut Classes::default(), &mut words, &Turns::default()));
        assert_eq!(words.iter().map(|w| &text[w.clone()]).collect::<String>(), text);
        words.into_iter().map(|word| &text[word]).collect()
    }

    #[test]
    fn words_by_each_family() {
        let cases: &[(&str, &str, &[&str])] = &[
            ("gpt-2", "I've  it's\n\n 12a", &["I", "'ve", " ", " it", "'s", "\n\n", " 12", "a"]),
            ("gpt-2", "DON'T  ", &["DON", "'", "T", "  "]),
            ("smollm", "in 2048 ways", &["in", " ", "2", "0", "4", "8", " ways"]),
            (
                "llama-bpe",
                "I'VE 12345\n \n x\u{a0}y",
                &["I", "'VE", " ", "123", "45", "\n \n", " x", "\u{a0}y"],
            ),
            ("llama-bpe", "a.\n\nb;   c", &["a", ".\n\n", "b", ";", "  ", " c"]),
            ("qwen2", "x=12\t\tz", &["x", "=", "1", "2", "\t", "\tz"]),
            ("qwen35", "e\u{301}a हिन्दी", &["e\u{301}a", " हिन्दी"]),
            ("qwen2", "e\u{301}a", &["e", "\u{301}a"]),
            (
                "tekken",
                "camelCase HTTPServer пРИвет a/b//",
                &["camel", "Case", " HTTPServer", " пРИвет", " a", "/b", "//"],
            ),
            ("gpt-4o", "I'm JSON's 1234", &["I'm", " JSON's", " ", "123", "4"]),
            ("falcon", "x:1234", &["x", ":", "123", "4"]),
            ("default", "x:1234", &["x", ":", "123", "4"]),
            ("deepseek-v3", "你好hi 12345!x", &["你好", "hi", " ", "123", "45", "!x"]),
        ];
        for (name, text, expected) in cases {
            assert_eq!(words(name, text), *expected, "{name} {text:?}");
        }
        assert!(preset("no-such-rules").is_none());
    }

    #[test]
    fn long_runs_take_linear_time() {
        // A run of a million characters, of kinds on which alternatives fail after a long match.
        for unit in [" ", "\t", "A", "'", "é", "1"] {
            let text = unit.repeat(1_000_000);
            for name in ["gpt-2", "llama-bpe", "qwen2", "tekken", "smollm", "default", "deepseek-v3"] {
                assert!(!words(name, &text).is_empty());
            }
        }
    }
}
