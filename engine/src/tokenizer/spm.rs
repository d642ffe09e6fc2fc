//! SentencePiece-style BPE: adjacent pieces merge into the token with the best score.
//!
//! `tokenizers` merges by a list of ranked pairs; a GGUF file of this kind has none, only scores, and the pair to
//! merge is any whose joined text is a token.

use super::bpe::{CACHED_WORD_LEN_MAX, TextHasher};
use super::slices::{RUN, Turns};
use super::vocab::{TOKEN_LEN_MAX, Vocab};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::hash::BuildHasherDefault;
use std::ops::Range;

const MARK: char = '\u{2581}';

/// What is known of a vocabulary of this kind.
#[derive(Debug)]
pub(crate) struct Spm {
    /// A space is put before the first text and after each special token.
    pub(crate) add_space_prefix: bool,
    /// No token has a space mark after another character: no merge crosses the beginning of a word, so that words can
    /// be encoded one by one.
    words_are_apart: bool,
}

impl Spm {
    pub(crate) fn new(vocab: &Vocab, add_space_prefix: bool) -> Self {
        let words_are_apart =
            (0..vocab.len).all(|id| !vocab.text(id).trim_start_matches(MARK).contains(MARK));
        Self { add_space_prefix, words_are_apart }
    }

    /// Appends the tokens of a text without special tokens; `at_start` where a space may have to be put before it.
    pub(crate) async fn encode(
        &self,
        vocab: &Vocab,
        text: &str,
        at_start: bool,
        out: &mut Vec<u32>,
        turns: &Turns,
    ) {
        let mut marked = String::with_capacity(text.len() + text.len() / 2);
        if at_start && self.add_space_prefix {
            marked.push(MARK);
        }
        marked.extend(text.chars().map(|c| if c == ' ' { MARK } else { c }));
        let mut scratch = Scratch::default();
        let mut seen: HashMap<&str, Range<usize>, BuildHasherDefault<TextHasher>> = HashMap::default();
        let mut rest = marked.as_str();
        while !rest.is_empty() {
            let (word, tail) = rest.split_at(if self.words_are_apart { word_len(rest) } else { rest.len() });
            rest = tail;
            turns.spend(1 + word.len() / 64).await;
            if let Some(ids) = seen.get(word) {
                out.extend_from_within(ids.clone());
                continue;
            }
            let start = out.len();
            scratch.encode(vocab, word, out, turns).await;
            if word.len() <= CACHED_WORD_LEN_MAX {
                seen.insert(word, start..out.len());
            }
        }
    }
}

/// Length of the marks at the beginning and what follows them up to the next mark, bytes.
fn word_len(text: &str) -> usize {
    let marks = text.len() - text.trim_start_matches(MARK).len();
    text[marks..].find(MARK).map_or(text.len(), |at| marks + at)
}

/// A piece of a word. `len` 0: merged into a neighbour.
#[derive(Debug, Clone)]
struct Symbol {
    start: usize,
    len: usize,
    previous: u32,
    next: u32,
}

const NONE: u32 = u32::MAX;

/// A possible merge: the best score first, then the leftmost.
#[derive(Debug, PartialEq)]
struct Candidate {
    score: f32,
    left: u32,
    right: u32,
    /// Length of both together, bytes: tells whether the pair still stands.
    len: usize,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.left.cmp(&self.left))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Buffers that are kept from word to word.
#[derive(Debug, Default)]
struct Scratch {
    symbols: Vec<Symbol>,
    queue: BinaryHeap<Candidate>,
    /// Candidates taken from the queue so far.
    taken: usize,
}

impl Scratch {
    async fn encode(&mut self, vocab: &Vocab, word: &str, out: &mut Vec<u32>, turns: &Turns) {
        self.symbols.clear();
        self.queue.clear();
        for (at, (start, c)) in word.char_indices().enumerate() {
            let previous = (at as u32).wrapping_sub(1);
            self.symbols.push(Symbol { start, len: c.len_utf8(), previous, next: at as u32 + 1 });
        }
        if let Some(last) = self.symbols.last_mut() {
            last.next = NONE;
        }
        for start in (1..self.symbols.len()).step_by(RUN) {
            let end = self.symbols.len().min(start + RUN);
            (start..end).for_each(|at| self.push(vocab, word, at as u32 - 1, at as u32));
            turns.spend(end - start).await;
        }
        while !self.queue.is_empty() {
            let before = self.taken;
            self.merge(vocab, word);
            turns.spend(2 * (self.taken - before)).await;
        }
        for symbols in self.symbols.chunks(RUN) {
            for symbol in symbols.iter().filter(|symbol| symbol.len > 0) {
                push_tokens(vocab, &word[symbol.start..symbol.start + symbol.len], out);
            }
            turns.spend(symbols.len()).await;
        }
    }

    /// Takes up to [`RUN`] candidates from the queue.
    fn merge(&mut self, vocab: &Vocab, word: &str) {
        for _ in 0..RUN {
            let Some(Candidate { left, right, len, .. }) = self.queue.pop() else { return };
            self.taken += 1;
            let (a, b) = (self.symbols[left as usize].clone(), self.symbols[right as usize].clone());
            if a.len == 0 || b.len == 0 || a.len + b.len != len {
                continue;
            }
            self.symbols[left as usize].len = len;
            self.symbols[left as usize].next = b.next;
            self.symbols[right as usize].len = 0;
            if b.next != NONE {
                self.symbols[b.next as usize].previous = left;
                self.push(vocab, word, left, b.next);
            }
            if a.previous != NONE {
                self.push(vocab, word, a.previous, left);
            }
        }
    }

    fn push(&mut self, vocab: &Vocab, word: &str, left: u32, right: u32) {
        let (a, b) = (&self.symbols[left as usize], &self.symbols[right as usize]);
        let len = a.len + b.len;
        if len > TOKEN_LEN_MAX {
            return;
        }
        if let Some(id) = vocab.token(&word[a.start..a.start + len]) {
            let score = vocab.scores.get(id as usize).copied().unwrap_or(0.0);
            self.queue.push(Candidate { score, left, right, len });
        }
    }
}

/// A piece as a token, or as the tokens of its bytes, or as the unknown token where the vocabulary has no bytes.
fn push_tokens(vocab: &Vocab, piece: &str, out: &mut Vec<u32>) {
    if let Some(id) = vocab.token(piece) {
        out.push(id);
        return;
    }
    let start = out.len();
    for byte in piece.bytes() {
        let Some(id) = vocab.byte_token(byte) else {
            out.truncate(start);
            out.extend(vocab.roles.unknown);
            return;
        };
        out.push(id);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::slices::finished;
    use super::super::text_index::TextIndex;
    use super::*;

    #[test]
    fn work_grows_with_the_word_not_its_square() {
        let mut index = TextIndex::with_capacity(16, 1 << 12);
        for power in 0..12 {
            index.insert(&"a".repeat(1 << power)).unwrap();
        }
        let scores = (0..12).map(|id| -(id as f32)).collect();
        let vocab = Vocab { index, len: 12, scores, ..Vocab::default() };
        for len in [1_000, 100_000] {
            let (mut scratch, mut ids) = (Scratch::default(), Vec::new());
            finished(scratch.encode(&vocab, &"a".repeat(len), &mut ids, &Turns::default()));
            assert_eq!(ids.iter().map(|&id| 1usize << id).sum::<usize>(), len);
            assert!(scratch.taken < 4 * len, "{} candidates for {len} characters", scratch.taken);
        }
    }
}
