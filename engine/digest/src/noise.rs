//! Text that is on a page but not of it: consent banners, calls to subscribe, share and navigation lines,
//! references, fragments that are no sentence.

use super::page::BlockKind;
use super::phrases;
use super::words::{Script, behind_phrase, is_invisible, script_of};
use std::collections::HashMap;

/// Why a sentence is not ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noise {
    /// Consent, subscribing, sharing, rights, navigation: never shown, never an answer.
    Boilerplate,
    /// A footnote or an entry in a list of sources.
    Reference,
    /// No sentence: a label, a number, a name. It may still answer a question.
    Fragment,
    /// A row of a table. It may answer a question.
    Row,
    /// Of a comment under an article. It may answer a question.
    Comment,
    /// It only points elsewhere ("Refer to chapter 3"). It may answer a question.
    Pointer,
}

/// A sentence with a phrase of boilerplate is boilerplate up to this many words: an article may well speak of cookies.
const PHRASE_WORDS_MAX: usize = 28;
/// One that begins with a word of navigation is up to this many.
const SHORT_WORDS_MAX: usize = 6;
/// And up to this many where a colon follows.
const LEAD_IN_WORDS_MAX: usize = 16;
/// Phrases are looked up by this many of their first bytes; none is shorter.
const KEY_BYTES: usize = 4;
/// A sentence in running text has at least this many words.
const SENTENCE_WORDS_MIN: usize = 4;
/// Without a stop, fewer words than this are a label: the link of a list, an ingredient.
const LABEL_WORDS_MAX: usize = 8;
/// In a list, where items are often no more than a name.
const ITEM_WORDS_MIN: usize = 3;

/// A line that only says who wrote what follows, or when, has at most so many words.
const ATTRIBUTION_WORDS_MAX: usize = 12;
/// One that only points elsewhere has at most so many.
const POINTER_WORDS_MAX: usize = 20;

/// Finds noise. Holds the phrases by their first bytes, so that a text is searched for all of them in one pass.
pub(crate) struct Filter {
    phrases: HashMap<[u8; KEY_BYTES], Vec<&'static str>>,
    /// Those that short sentences begin with, by their first characters.
    short: HashMap<char, Vec<&'static str>>,
}

impl Filter {
    pub(crate) fn new() -> Self {
        let mut phrases: HashMap<[u8; KEY_BYTES], Vec<&'static str>> = HashMap::new();
        for phrase in phrases::anywhere() {
            if let Some(key) = phrase.as_bytes().first_chunk() {
                phrases.entry(*key).or_default().push(phrase);
            }
        }
        let mut short: HashMap<char, Vec<&'static str>> = HashMap::new();
        for phrase in phrases::short() {
            if let Some(first) = phrase.chars().next() {
                short.entry(first).or_default().push(phrase);
            }
        }
        Self { phrases, short }
    }

    /// What speaks against a sentence; `None` for an ordinary one. `last` is true for the last sentence of its block:
    /// only there may the final stop be missing.
    pub(crate) fn noise(&self, text: &str, words: usize, kind: BlockKind, last: bool) -> Option<Noise> {
        let folded: String = text
            .chars()
            .filter(|c| !is_invisible(*c))
            .flat_map(char::to_lowercase)
            .map(|c| if c == '’' { '\'' } else { c })
            .collect();
        if (words <= PHRASE_WORDS_MAX && self.has_phrase(&folded))
            || self.is_short_phrase(&folded, words)
            || is_menu(text)
        {
            return Some(Noise::Boilerplate);
        }
        if is_hashtags(text) {
            return Some(Noise::Boilerplate);
        }
        if is_reference(text, &folded, words) {
            return Some(Noise::Reference);
        }
        let words_min = if kind == BlockKind::ListItem { ITEM_WORDS_MIN } else { SENTENCE_WORDS_MIN };
        if words < words_min
            || mostly_symbols(text)
            || is_label(text, words, last)
            || is_attribution(&folded, words)
            || is_time_stamp(&folded, words)
        {
            return Some(Noise::Fragment);
        }
        is_pointer(&folded, words).then_some(Noise::Pointer)
    }

    fn has_phrase(&self, folded: &str) -> bool {
        let bytes = folded.as_bytes();
        (0..bytes.len().saturating_sub(KEY_BYTES - 1)).any(|at| {
            let Some(key) = bytes[at..].first_chunk() else { return false };
            let known = self.phrases.get(key);
            known.is_some_and(|phrases| {
                phrases.iter().any(|phrase| bytes[at..].starts_with(phrase.as_bytes()))
            })
        })
    }

    fn is_short_phrase(&self, folded: &str, words: usize) -> bool {
        if words > LEAD_IN_WORDS_MAX {
            return false;
        }
        let head = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
        let known = head.chars().next().and_then(|first| self.short.get(&first));
        known.into_iter().flatten().any(|phrase| {
            head.strip_prefix(*phrase).is_some_and(|rest| match rest.chars().next() {
                None => true,
                // "Related articles: Ten islands to visit"
                Some(':' | '：') => true,
                _ if words > SHORT_WORDS_MAX => false,
                // Without spaces between words: a button says hardly more than this.
                Some(c) if script_of(c) != Script::Spaced => rest.chars().count() <= 3,
                // One word may begin any sentence ("Share prices fell again"); alone, or with one more, it is a button.
                Some(c) => !c.is_alphanumeric() && (words <= 2 || phrase.contains(' ')),
            })
        })
    }
}

/// Home | News | Sport, or "Posted by Ann · 6 min read · 23 comments": short pieces between marks, and no stop.
fn is_menu(text: &str) -> bool {
    let parts: Vec<&str> =
        text.split(['|', '»', '›', '•', '·', '>', '｜']).filter(|part| !part.trim().is_empty()).collect();
    let words: usize = parts.iter().map(|part| part.split_whitespace().count()).sum();
    parts.len() >= 3 && words <= parts.len() * 4 && !ends_with_stop(text)
}

/// [12] Smith, J. (1999) …, or "Retrieved 3 May 2020", or a line that is an address.
fn is_reference(text: &str, folded: &str, words: usize) -> bool {
    const MARKS: [&str; 12] = [
        "isbn ",
        "isbn:",
        "issn ",
        "doi:",
        "doi.org/",
        "retrieved ",
        "archived from the original",
        "abgerufen am",
        "consulté le",
        "consultado el",
        "дата обращения",
        "pmid ",
    ];
    let trimmed = text.trim_start();
    let numbered = trimmed.starts_with('↑')
        || trimmed.starts_with("^ ")
        || trimmed
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'))
            .is_some_and(|(number, _)| !number.is_empty() && number.chars().all(|c| c.is_numeric()));
    let address = folded.contains("://") && words <= 12;
    numbered || address || (words <= 30 && MARKS.iter().any(|mark| folded.contains(mark)))
}

/// "#rice #dinner": at least half of two words or more.
fn is_hashtags(text: &str) -> bool {
    let is_tag =
        |word: &&str| word.strip_prefix('#').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    let (words, tags) = (text.split_whitespace().count(), text.split_whitespace().filter(is_tag).count());
    tags >= 2 && tags * 2 >= words
}

/// "Petra wrote:"
fn is_attribution(folded: &str, words: usize) -> bool {
    let text = folded.trim();
    let Some(said) = text.strip_suffix([':', '：']) else { return false };
    words <= ATTRIBUTION_WORDS_MAX && phrases::wrote().any(|phrase| said.trim_end().ends_with(phrase))
}

/// "Published on 3 May 2024 at 10:15."
fn is_time_stamp(folded: &str, words: usize) -> bool {
    words <= ATTRIBUTION_WORDS_MAX
        && folded.chars().any(char::is_numeric)
        && phrases::published().any(|phrase| begins_with(folded, phrase))
}

/// "Refer to chapter 3 for details."
fn is_pointer(folded: &str, words: usize) -> bool {
    words <= POINTER_WORDS_MAX && phrases::pointers().any(|phrase| begins_with(folded, phrase))
}

/// Whether a text begins with a phrase, behind marks.
fn begins_with(folded: &str, phrase: &str) -> bool {
    behind_phrase(folded.trim_start_matches(|c: char| !c.is_alphanumeric()), phrase).is_some()
}

/// Fewer letters than anything else.
fn mostly_symbols(text: &str) -> bool {
    let (mut letters, mut others) = (0usize, 0usize);
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        if c.is_alphabetic() || is_mark(c) {
            letters += 1;
        } else {
            others += 1;
        }
    }
    letters < others * 3 / 2 || letters == 0
}

/// Vowel signs of Indic and South-East Asian scripts, which are not all alphabetic.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c), 0x0300..=0x036F | 0x0591..=0x05C7 | 0x064B..=0x065F | 0x0900..=0x0DFF | 0x0E00..=0x0FFF | 0x1000..=0x109F
        | 0x1780..=0x17FF)
}

/// Short and without a stop where one belongs, or written as a title.
fn is_label(text: &str, words: usize, last: bool) -> bool {
    let stopped = ends_with_stop(text);
    if stopped || !last {
        return false;
    }
    let (mut capital, mut spaced) = (0usize, 0usize);
    for word in text.split_whitespace() {
        let Some(first) = word.chars().find(|c| c.is_alphanumeric()) else { continue };
        spaced += 1;
        capital += usize::from(first.is_uppercase() || first.is_numeric());
    }
    let titled = spaced >= 3 && capital * 10 >= spaced * 6 && words <= 14;
    titled || words < LABEL_WORDS_MAX
}

/// Whether a text ends as a sentence does, in whatever script. Thai writes no stop.
fn ends_with_stop(text: &str) -> bool {
    const STOPS: [char; 18] =
        ['.', '!', '?', '…', '。', '！', '？', '।', '॥', '؟', '۔', '։', ';', ':', '：', '።', '။', '།'];
    let end =
        text.trim_end_matches(|c: char| super::joins::is_closing(c) || is_invisible(c) || c.is_whitespace());
    end.ends_with(STOPS) || end.chars().next_back().map(script_of) == Some(Script::Unspaced)
}
