//! Cuts a text into words by the rules of a preset.

use super::charclass::{Classes, WHITESPACE};
use super::presets::{Alternative, Pass, Run};
use std::ops::Range;

/// Cuts `text` into words, byte ranges in order that cover it; `classes` is scratch space.
pub(crate) fn split(passes: &[Pass], text: &str, classes: &mut Classes, words: &mut Vec<Range<usize>>) {
    words.clear();
    classes.read(text);
    let mut spans: Vec<Range<usize>> = std::iter::once(0..classes.bits.len()).collect();
    for pass in passes {
        let mut next = Vec::with_capacity(spans.len());
        for span in spans {
            split_span(pass, &Span { text: text.as_bytes(), classes, end: span.end }, span.start, &mut next);
        }
        spans = next;
    }
    let offsets = &classes.offsets;
    words.extend(spans.into_iter().map(|span| offsets[span.start] as usize..offsets[span.end] as usize));
    words.retain(|word| !word.is_empty());
}

/// Characters up to `end`, as the alternatives see them: look-ahead stops there too.
struct Span<'a> {
    text: &'a [u8],
    classes: &'a Classes,
    end: usize,
}

fn split_span(pass: Pass, span: &Span, start: usize, words: &mut Vec<Range<usize>>) {
    let mut at = start;
    // Where characters that nothing matched begin: they stay together.
    let mut unmatched = start;
    while at < span.end {
        match pass.iter().find_map(|alternative| span.match_at(*alternative, at)).filter(|&end| end > at) {
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
    if unmatched < at {
        words.push(unmatched..at);
    }
}

impl Span<'_> {
    /// Where a match of the alternative that begins at `at` ends.
    fn match_at(&self, alternative: Alternative, at: usize) -> Option<usize> {
        match alternative {
            Alternative::Runs(runs) => self.match_runs(runs, at),
            Alternative::RunsContraction(runs) => {
                let end = self.match_runs(runs, at)?;
                Some(self.contraction(end, true).unwrap_or(end))
            }
            Alternative::TrailingSpace => {
                let len = self.run_len(at, WHITESPACE, usize::MAX);
                // Followed by something else, all but the last; at the end, all.
                let len = if at + len < self.end { len.saturating_sub(1) } else { len };
                (len > 0).then_some(at + len)
            }
            Alternative::Contraction => self.contraction(at, false),
            Alternative::ContractionAnyCase => self.contraction(at, true),
        }
    }

    fn run_len(&self, at: usize, class: u32, max: usize) -> usize {
        let bits = &self.classes.bits[at..self.end];
        bits.iter().take(max).take_while(|&&bits| bits & class != 0).count()
    }

    /// Greedy, giving characters back one by one where the rest does not match. Recursion is as deep as the list.
    fn match_runs(&self, runs: &[Run], at: usize) -> Option<usize> {
        let Some((run, rest)) = runs.split_first() else { return Some(at) };
        let mut len = self.run_len(at, run.class, run.max);
        loop {
            if len < run.min {
                return None;
            }
            if let Some(end) = self.match_runs(rest, at + len) {
                return Some(end);
            }
            len = len.checked_sub(1)?;
        }
    }

    /// `'s 't 'm 'd 're 've 'll`.
    fn contraction(&self, at: usize, any_case: bool) -> Option<usize> {
        let letter = |i: usize| {
            let byte = if at + i < self.end { self.text[self.classes.offsets[at + i] as usize] } else { 0 };
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
    use super::*;

    fn words<'t>(name: &str, text: &'t str) -> Vec<&'t str> {
        let mut words = Vec::new();
        split(preset(name).unwrap().passes, text, &mut Classes::default(), &mut words);
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
