//! Finds special tokens in a text.

use super::prefixes::Prefixes;
use super::slices::{RUN, Turns};
use super::vocab::{CONTROL, STRIP_LEFT, STRIP_RIGHT, TOKEN_LEN_MAX, UNKNOWN, USER_DEFINED, Vocab};
use std::ops::Range;

/// A part of a text: bytes still to be encoded, or a special token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fragment {
    Text(Range<usize>),
    Token(u32),
}

/// Where special tokens may be found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Trust<'a> {
    /// Nowhere; user-defined tokens are found all the same, as they are part of ordinary text for their model.
    Nowhere,
    Everywhere,
    /// Inside these byte ranges only, which are in order and do not touch. Elsewhere user-defined tokens are found
    /// unless they look like markup.
    Inside(&'a [Range<usize>]),
}

/// The special tokens of a vocabulary.
#[derive(Debug, Default)]
pub(crate) struct Specials {
    tokens: Prefixes,
}

impl Specials {
    pub(crate) fn new(vocab: &Vocab) -> Self {
        let is_special = |&id: &u32| vocab.kind(id) & (CONTROL | USER_DEFINED | UNKNOWN) != 0;
        Self { tokens: Prefixes::new(vocab, (0..vocab.len).filter(is_special)) }
    }

    /// Cuts a text at its special tokens. Longer tokens are found before shorter ones, whatever their place.
    pub(crate) async fn partition(
        &self,
        vocab: &Vocab,
        text: &str,
        trust: Trust<'_>,
        turns: &Turns,
    ) -> Vec<Fragment> {
        let search = Search { tokens: &self.tokens, vocab, text: text.as_bytes(), trust };
        // By length, the places where the longest token has that length.
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); TOKEN_LEN_MAX + 1];
        for start in (0..text.len()).step_by(RUN) {
            let mut steps = RUN / 16;
            for at in start..text.len().min(start + RUN) {
                if !self.tokens.may_begin(text.as_bytes()[at]) {
                    continue;
                }
                steps += 1;
                if let Some(id) = search.longest(at, text.len()) {
                    places[vocab.text(id).len()].push(at as u32);
                }
            }
            turns.spend(steps).await;
        }
        let mut taken = Taken { by: vec![false; text.len()], found: Vec::new() };
        for len in (1..=TOKEN_LEN_MAX).rev() {
            let mut found = std::mem::take(&mut places[len]);
            found.sort_unstable();
            for at in found {
                let at = at as usize;
                turns.spend(1).await;
                match (at..at + len).find(|&at| taken.by[at]) {
                    None => {
                        let id = search.longest(at, at + len);
                        id.into_iter().for_each(|id| taken.take(&search, at..at + len, id));
                    }
                    // A shorter one may fit before what is taken. The room at least halves each time.
                    Some(end) => {
                        let shorter = search.longest(at, end).map(|id| vocab.text(id).len());
                        shorter.into_iter().for_each(|len| places[len].push(at as u32));
                    }
                }
            }
        }
        taken.fragments(text.len())
    }
}

/// What a text is searched for.
struct Search<'a> {
    tokens: &'a Prefixes,
    vocab: &'a Vocab,
    text: &'a [u8],
    trust: Trust<'a>,
}

impl Search<'_> {
    /// The longest token from `at` that ends by `end` and may be found there.
    fn longest(&self, at: usize, end: usize) -> Option<u32> {
        let mut tokens = self.tokens.of_text(self.vocab, &self.text[at..end]);
        tokens.find(|&id| allowed(self.vocab, id, at..at + self.vocab.text(id).len(), self.trust))
    }
}

/// What was found so far.
struct Taken {
    /// By byte: whether it belongs to a token, or is white space that one swallowed.
    by: Vec<bool>,
    /// Tokens, and the bytes that they take.
    found: Vec<(Range<usize>, u32)>,
}

impl Taken {
    fn take(&mut self, search: &Search<'_>, range: Range<usize>, id: u32) {
        let swallows = |at: usize| is_space(search.text[at]) && !self.by[at];
        let Range { mut start, mut end } = range;
        while search.vocab.kind(id) & STRIP_LEFT != 0 && start > 0 && swallows(start - 1) {
            start -= 1;
        }
        while search.vocab.kind(id) & STRIP_RIGHT != 0 && end < search.text.len() && swallows(end) {
            end += 1;
        }
        self.by[start..end].fill(true);
        self.found.push((start..end, id));
    }

    fn fragments(mut self, len: usize) -> Vec<Fragment> {
        self.found.sort_unstable_by_key(|(range, _)| range.start);
        let (mut fragments, mut start) = (Vec::with_capacity(2 * self.found.len() + 1), 0);
        for (range, id) in self.found {
            if range.start > start {
                fragments.push(Fragment::Text(start..range.start));
            }
            fragments.push(Fragment::Token(id));
            start = range.end;
        }
        if start < len {
            fragments.push(Fragment::Text(start..len));
        }
        fragments
    }
}

fn allowed(vocab: &Vocab, id: u32, range: Range<usize>, trust: Trust) -> bool {
    let kind = vocab.kind(id);
    if kind & (CONTROL | UNKNOWN | USER_DEFINED) == 0 {
        return false;
    }
    match trust {
        Trust::Everywhere => true,
        Trust::Nowhere => is_plain_user_defined(vocab, id),
        Trust::Inside(ranges) => {
            let at = ranges.partition_point(|trusted| trusted.end < range.end);
            let inside = ranges.get(at).is_some_and(|trusted| trusted.start <= range.start);
            inside || (is_plain_user_defined(vocab, id) && !looks_like_markup(vocab.text(id)))
        }
    }
}

fn is_plain_user_defined(vocab: &Vocab, id: u32) -> bool {
    vocab.kind(id) & USER_DEFINED != 0 && vocab.kind(id) & (CONTROL | UNKNOWN) == 0
}

/// `<tool_call>`, `[INST]`, `<|think|>`: in a text of unknown origin these must stay text even where a vocabulary
/// calls them user-defined.
fn looks_like_markup(text: &str) -> bool {
    (text.starts_with('<') && text.ends_with('>')) || (text.starts_with('[') && text.ends_with(']'))
}

/// C's `isspace`.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
