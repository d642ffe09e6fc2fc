//! Lines as they are compared with the facts of a page.

use fancy_regex::Regex;
use unicode_normalization::UnicodeNormalization;

/// Words of a line that count.
pub const WORDS_MAX: usize = 60;

/// Compatibility forms, quotation marks and dashes made plain, no marks of notes, white space collapsed.
pub fn normal(line: &str) -> String {
    let plain = |c: char| match c {
        '‘' | '’' | '‚' => Some('\''),
        '“' | '”' | '„' | '«' | '»' => Some('"'),
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => Some('-'),
        '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{ad}' => None,
        c => Some(c),
    };
    let text: String = line.nfkc().filter_map(plain).collect();
    let note = Regex::new(r"\[(?:\d{1,3}|edit|citation needed)\]").ok();
    let text = note.map_or(text.clone(), |note| note.replace_all(&text, "").into_owned());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Words; of Chinese and Japanese 2.5 characters count as one.
pub fn words(line: &str) -> f64 {
    let spaced: String = line.chars().map(|c| if is_han(c) { ' ' } else { c }).collect();
    spaced.split_whitespace().count() as f64 + line.chars().filter(|c| is_han(*c)).count() as f64 / 2.5
}

/// The first words of a line, so that whole paragraphs do not win.
pub fn cut(line: &str) -> String {
    if words(line) <= WORDS_MAX as f64 {
        return line.into();
    }
    if line.chars().filter(|c| is_han(*c)).count() * 3 > line.chars().count() {
        return line.chars().take(WORDS_MAX * 5 / 2).collect();
    }
    line.split(' ').take(WORDS_MAX).collect::<Vec<_>>().join(" ")
}
