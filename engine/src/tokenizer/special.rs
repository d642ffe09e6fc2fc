//! Finds special tokens in a text.

use super::vocab::{CONTROL, SPECIAL_LEN_MAX, STRIP_LEFT, STRIP_RIGHT, UNKNOWN, USER_DEFINED, Vocab};
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

/// The special tokens of one length.
#[derive(Debug)]
struct Group {
    len: usize,
    /// Bit per possible first byte.
    first: [u64; 4],
    has_user_defined: bool,
}

/// The special tokens of a vocabulary, the longest first.
#[derive(Debug, Default)]
pub(crate) struct Specials {
    groups: Vec<Group>,
}

impl Specials {
    pub(crate) fn new(vocab: &Vocab) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut ids: Vec<u32> = (0..vocab.len)
            .filter(|&id| vocab.kind(id) & (CONTROL | USER_DEFINED | UNKNOWN) != 0)
            .filter(|&id| (1..=SPECIAL_LEN_MAX).contains(&vocab.text(id).len()))
            .collect();
        ids.sort_by_key(|&id| std::cmp::Reverse(vocab.text(id).len()));
        for id in ids {
            let text = vocab.text(id).as_bytes();
            if groups.last().is_none_or(|group| group.len != text.len()) {
                groups.push(Group { len: text.len(), first: [0; 4], has_user_defined: false });
            }
            if let Some(group) = groups.last_mut() {
                group.first[usize::from(text[0] >> 6)] |= 1 << (text[0] & 63);
                group.has_user_defined |= is_plain_user_defined(vocab, id);
            }
        }
        Self { groups }
    }

    /// Cuts a text at its special tokens. Longer tokens are found before shorter ones, whatever their place.
    pub(crate) fn partition(&self, vocab: &Vocab, text: &str, trust: Trust) -> Vec<Fragment> {
        let mut fragments = Vec::new();
        if text.is_empty() {
            return fragments;
        }
        fragments.push(Fragment::Text(0..text.len()));
        let mut present = [0u64; 4];
        for byte in text.bytes() {
            present[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
        for group in &self.groups {
            let may_match = group.first.iter().zip(present).any(|(first, present)| first & present != 0);
            if !may_match || (matches!(trust, Trust::Nowhere) && !group.has_user_defined) {
                continue;
            }
            let mut next = Vec::with_capacity(fragments.len());
            for fragment in fragments {
                match fragment {
                    Fragment::Text(range) => group.scan(vocab, text, range, trust, &mut next),
                    token @ Fragment::Token(_) => next.push(token),
                }
            }
            fragments = next;
        }
        fragments
    }
}

impl Group {
    /// Cuts `range` at the tokens of this length, from left to right.
    fn scan(&self, vocab: &Vocab, text: &str, range: Range<usize>, trust: Trust, out: &mut Vec<Fragment>) {
        let bytes = text.as_bytes();
        let (mut start, mut at) = (range.start, range.start);
        while at + self.len <= range.end {
            let byte = bytes[at];
            let candidate = self.first[usize::from(byte >> 6)] & (1 << (byte & 63)) != 0;
            let found =
                if candidate { text.get(at..at + self.len).and_then(|text| vocab.token(text)) } else { None };
            let Some(id) = found.filter(|&id| allowed(vocab, id, at..at + self.len, trust)) else {
                at += 1;
                continue;
            };
            let mut left_end = at;
            if vocab.kind(id) & STRIP_LEFT != 0 {
                while left_end > start && is_space(bytes[left_end - 1]) {
                    left_end -= 1;
                }
            }
            if left_end > start {
                out.push(Fragment::Text(start..left_end));
            }
            out.push(Fragment::Token(id));
            at += self.len;
            if vocab.kind(id) & STRIP_RIGHT != 0 {
                while at < range.end && is_space(bytes[at]) {
                    at += 1;
                }
            }
            start = at;
        }
        if start < range.end {
            out.push(Fragment::Text(start..range.end));
        }
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
