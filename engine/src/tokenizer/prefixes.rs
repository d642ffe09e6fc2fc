//! The tokens that a text begins with: one search finds the longest, and from each the next shorter one is known.
//!
//! A hash would be asked once for every length; a trie of a quarter of a million tokens is larger and no faster.

use super::vocab::{TOKEN_LEN_MAX, Vocab};
use std::cmp::Ordering;
use std::ops::Range;

const NONE: u32 = u32::MAX;

/// Tokens of at most [`TOKEN_LEN_MAX`] bytes, in the order of their texts.
#[derive(Debug, Default)]
pub(crate) struct Prefixes {
    ids: Vec<u32>,
    /// The first eight bytes of each text.
    heads: Vec<u64>,
    /// The longest other token that each begins with, as an index.
    shorter: Vec<u32>,
    /// Where the tokens of each first byte begin; one more for the end. Empty without tokens.
    starts: Vec<u32>,
}

impl Prefixes {
    pub(crate) fn new(vocab: &Vocab, ids: impl Iterator<Item = u32>) -> Self {
        let mut sorted: Vec<(u64, u32)> = ids
            .filter(|&id| (1..=TOKEN_LEN_MAX).contains(&vocab.text(id).len()))
            .map(|id| (head(vocab.text(id).as_bytes()), id))
            .collect();
        sorted.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| vocab.text(a.1).as_bytes().cmp(vocab.text(b.1).as_bytes()))
        });
        let heads: Vec<u64> = sorted.iter().map(|&(head, _)| head).collect();
        let ids: Vec<u32> = sorted.into_iter().map(|(_, id)| id).collect();
        let (mut shorter, mut open) = (Vec::with_capacity(ids.len()), Vec::new());
        for (at, &id) in (0_u32..).zip(&ids) {
            while open.last().is_some_and(|&(_, prefix)| !vocab.text(id).starts_with(vocab.text(prefix))) {
                open.pop();
            }
            shorter.push(open.last().map_or(NONE, |&(at, _)| at));
            open.push((at, id));
        }
        let starts = (0..=256).map(|byte| heads.partition_point(|head| head >> 56 < byte) as u32).collect();
        Self { ids, heads, shorter, starts }
    }

    /// Whether a token begins with this byte.
    pub(crate) fn may_begin(&self, byte: u8) -> bool {
        !self.of(byte).is_empty()
    }

    fn of(&self, byte: u8) -> Range<usize> {
        let start = |at: usize| self.starts.get(at).map_or(0, |&start| start as usize);
        start(usize::from(byte))..start(usize::from(byte) + 1)
    }

    /// The tokens that `text` begins with, the longest first.
    pub(crate) fn of_text(&self, vocab: &Vocab, text: &[u8]) -> impl Iterator<Item = u32> {
        let text = &text[..text.len().min(TOKEN_LEN_MAX)];
        let range = text.first().map_or(0..0, |&byte| self.of(byte));
        let own = head(text);
        let is_before = |at: usize| match self.heads[at].cmp(&own) {
            Ordering::Equal => vocab.text(self.ids[at]).as_bytes() <= text,
            order => order.is_lt(),
        };
        // The last token that does not come behind the text: whatever it begins with is a token of its chain.
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low.midpoint(high);
            if is_before(middle) { low = middle + 1 } else { high = middle }
        }
        let mut at = if low > range.start { low as u32 - 1 } else { NONE };
        if let Some(&last) = self.ids.get(at as usize) {
            let last = vocab.text(last).as_bytes();
            let common = last.iter().zip(text).take_while(|(a, b)| a == b).count();
            while self.ids.get(at as usize).is_some_and(|&id| vocab.text(id).len() > common) {
                at = self.shorter[at as usize];
            }
        }
        std::iter::from_fn(move || {
            let id = *self.ids.get(at as usize)?;
            at = self.shorter[at as usize];
            Some(id)
        })
    }
}

/// The first eight bytes, as a number that orders as they do.
fn head(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let len = text.len().min(8);
    bytes[..len].copy_from_slice(&text[..len]);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::text_index::TextIndex;
    use super::*;

    #[test]
    fn finds_what_a_search_of_every_length_finds() {
        let mut state = 7_u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        let parts = ["a", "b", "\0", "é", "你", "ab"];
        let mut index = TextIndex::default();
        for _ in 0..400 {
            let text: String = (0..1 + next(12)).map(|_| parts[next(parts.len())]).collect();
            index.insert(&text).unwrap();
        }
        index.insert(&"a".repeat(TOKEN_LEN_MAX + 1)).unwrap();
        let len = (0..).find(|&id| index.text(id).is_empty()).unwrap();
        let vocab = Vocab { index, len, ..Vocab::default() };
        let prefixes = Prefixes::new(&vocab, 0..len);
        for _ in 0..4_000 {
            let text: String = (0..next(20)).map(|_| parts[next(parts.len())]).collect();
            let text = if next(20) == 0 { "a".repeat(next(600)) } else { text };
            let ends = (1..=text.len().min(TOKEN_LEN_MAX)).rev();
            let wanted: Vec<u32> = ends.filter_map(|end| vocab.token(text.get(..end)?)).collect();
            let found: Vec<u32> = prefixes.of_text(&vocab, text.as_bytes()).collect();
            assert_eq!(found, wanted, "{text:?}");
            let begins = text.bytes().next().is_some_and(|byte| prefixes.may_begin(byte));
            assert!(begins || wanted.is_empty(), "{text:?}");
        }
        assert_eq!(Prefixes::default().of_text(&vocab, b"a").count(), 0);
        assert!(!Prefixes::default().may_begin(b'a'));
    }
}
