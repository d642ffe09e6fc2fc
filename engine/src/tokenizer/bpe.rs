//! Byte-pair encoding by ranked merges: byte-level (GPT-2 and its many descendants), or over characters (Gemma 4).
//!
//! `tokenizers` has a BPE model, but it does not express the reference behaviour: it decides by itself whether a word
//! that is a token may skip merging, refuses vocabularies that lack a byte, and indexes without checks by what the
//! file says. The algorithm is the same: a queue of adjacent pairs, the lowest rank first.

use super::bytes::{byte_token_text, char_of};
use super::charclass::Classes;
use super::error::TokenizerError;
use super::presets::{Alphabet, Preset};
use super::slices::{RUN, Turns};
use super::split::split;
use super::vocab::{MERGES, Vocab, strings};
use super::wordpiece::lower;
use crate::gguf::Metadata;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::ops::Range;

/// Words up to this length are remembered within one text, bytes.
pub(crate) const CACHED_WORD_LEN_MAX: usize = 48;

/// A character of which neither a token nor a merge knows.
const NO_SYMBOL: u32 = u32::MAX;

/// (left symbol, right symbol) -> (rank, merged symbol).
type Merges = HashMap<u64, (u32, u32), PairHasher>;

/// The merges of a vocabulary.
#[derive(Debug)]
pub(crate) struct Bpe {
    merges: Merges,
    preset: Preset,
    /// The symbols of bytes, where bytes are the alphabet.
    symbols: Box<[u32; 256]>,
    /// White space separates words and is no part of them. The text's letters are made small where that is asked for.
    words_only: Option<WordsOnly>,
}

/// The kind of vocabulary whose name is "whitespace".
#[derive(Debug)]
pub(crate) struct WordsOnly {
    pub(crate) lowercase: bool,
}

impl Bpe {
    pub(crate) fn new(
        vocab: &mut Vocab,
        metadata: &Metadata,
        preset: Preset,
        words_only: Option<WordsOnly>,
    ) -> Result<Self, TokenizerError> {
        let merges = read_merges(vocab, metadata)?;
        let mut symbols = Box::new([NO_SYMBOL; 256]);
        for (byte, symbol) in (0..=255u8).zip(symbols.iter_mut()) {
            *symbol = vocab.index.get(char_of(byte).encode_utf8(&mut [0; 4])).unwrap_or(NO_SYMBOL);
        }
        Ok(Self { merges, preset, symbols, words_only })
    }

    /// Whether token texts are spelled in stand-ins for bytes.
    pub(crate) fn is_byte_level(&self) -> bool {
        self.preset.alphabet == Alphabet::Bytes
    }

    /// Appends the tokens of a text without special tokens.
    pub(crate) async fn encode(&self, vocab: &Vocab, text: &str, out: &mut Vec<u32>, turns: &Turns) {
        let mut text = Cow::Borrowed(text);
        if self.preset.alphabet == Alphabet::CharsMarked {
            text = text.replace(' ', "\u{2581}").into();
        }
        if self.words_only.as_ref().is_some_and(|words| words.lowercase) {
            text = text.chars().map(lower).collect::<String>().into();
        }
        let mut words = Vec::new();
        split(self.preset.passes, &text, &mut Classes::default(), &mut words, turns).await;
        let mut scratch = Scratch::default();
        let mut seen: HashMap<&str, Range<usize>, BuildHasherDefault<TextHasher>> = HashMap::default();
        for word in words {
            let word = &text[word];
            turns.spend(1 + word.len() / 64).await;
            if self.words_only.is_some() && word.starts_with(char::is_whitespace) {
                continue;
            }
            if let Some(ids) = seen.get(word) {
                out.extend_from_within(ids.clone());
                continue;
            }
            let start = out.len();
            self.encode_word(vocab, word, &mut scratch, out, turns).await;
            if word.len() <= CACHED_WORD_LEN_MAX {
                seen.insert(word, start..out.len());
            }
        }
    }

    async fn encode_word(
        &self,
        vocab: &Vocab,
        word: &str,
        scratch: &mut Scratch,
        out: &mut Vec<u32>,
        turns: &Turns,
    ) {
        if let Some(id) = self.whole(vocab, word, scratch) {
            out.push(id);
            return;
        }
        scratch.symbols.clear();
        if self.is_byte_level() {
            let symbol = |(at, byte): (usize, u8)| Symbol::new(self.symbols[usize::from(byte)], at, 1);
            scratch.symbols.extend(word.bytes().enumerate().map(symbol));
        } else {
            scratch.symbols.extend(word.char_indices().map(|(at, c)| {
                let id = vocab.index.get(c.encode_utf8(&mut [0; 4])).unwrap_or(NO_SYMBOL);
                Symbol::new(id, at, c.len_utf8())
            }));
        }
        scratch.merge(&self.merges, turns).await;
        for symbols in scratch.symbols.chunks(RUN) {
            for symbol in symbols.iter().filter(|symbol| symbol.len > 0) {
                if symbol.id < vocab.len {
                    out.push(symbol.id);
                } else {
                    self.push_bytes(vocab, word, symbol, out);
                }
            }
            turns.spend(symbols.len()).await;
        }
    }

    /// The token of a word that is one whether or not merges lead to it.
    fn whole(&self, vocab: &Vocab, word: &str, scratch: &mut Scratch) -> Option<u32> {
        let whole = self.preset.whole_words || (self.preset.whole_breaks && word.starts_with('\n'));
        if !whole {
            return None;
        }
        if !self.is_byte_level() {
            return vocab.token(word);
        }
        scratch.spelled.clear();
        scratch.spelled.extend(word.bytes().map(char_of));
        vocab.token(&scratch.spelled)
    }

    /// The tokens of a symbol that is no token: one per byte, where there is one.
    fn push_bytes(&self, vocab: &Vocab, word: &str, symbol: &Symbol, out: &mut Vec<u32>) {
        if self.is_byte_level() {
            let spelled = vocab.index.text(symbol.id).chars().filter(char::is_ascii);
            out.extend(spelled.filter_map(|c| vocab.token(c.encode_utf8(&mut [0; 4]))));
        } else {
            let bytes = &word.as_bytes()[symbol.start..symbol.start + symbol.len];
            out.extend(bytes.iter().filter_map(|&byte| vocab.token(byte_token_text(byte, &mut [0; 6]))));
        }
    }
}

fn read_merges(vocab: &mut Vocab, metadata: &Metadata) -> Result<Merges, TokenizerError> {
    let lines = strings(metadata, MERGES)?.ok_or(TokenizerError::MissingKey { key: MERGES })?;
    let mut merges = Merges::with_capacity_and_hasher(lines.len(), PairHasher(vocab.index.own_seed()));
    let mut merged = String::new();
    for (rank, line) in (0..u32::MAX).zip(lines) {
        // The space after the first character, so that a space can be a symbol.
        let first_len = line.chars().next().map_or(0, char::len_utf8);
        let Some(gap) = line[first_len..].find(' ') else { continue };
        let (left, right) = (&line[..first_len + gap], &line[first_len + gap + 1..]);
        merged.clear();
        merged.push_str(left);
        merged.push_str(right);
        let (left, _) = vocab.index.insert(left)?;
        let (right, _) = vocab.index.insert(right)?;
        let (merged, _) = vocab.index.insert(&merged)?;
        merges.entry(pair(left, right)).or_insert((rank, merged));
    }
    Ok(merges)
}

fn pair(left: u32, right: u32) -> u64 {
    (u64::from(left) << 32) | u64::from(right)
}

/// A piece of a word. `len` 0: merged into a neighbour.
#[derive(Debug, Clone)]
struct Symbol {
    id: u32,
    start: usize,
    len: usize,
    previous: u32,
    next: u32,
}

const NONE: u32 = u32::MAX;

impl Symbol {
    fn new(id: u32, start: usize, len: usize) -> Self {
        Self { id, start, len, previous: NONE, next: NONE }
    }
}

/// Buffers that are kept from word to word.
#[derive(Debug, Default)]
struct Scratch {
    symbols: Vec<Symbol>,
    /// (rank, index of the left symbol, left id, right id), the lowest first. Ids tell whether the pair still stands.
    queue: BinaryHeap<Reverse<(u32, u32, u32, u32)>>,
    spelled: String,
    /// Pairs taken from the queue so far.
    taken: usize,
}

impl Scratch {
    async fn merge(&mut self, merges: &Merges, turns: &Turns) {
        let last = self.symbols.len().saturating_sub(1);
        for (at, symbol) in self.symbols.iter_mut().enumerate() {
            symbol.previous = if at == 0 { NONE } else { at as u32 - 1 };
            symbol.next = if at == last { NONE } else { at as u32 + 1 };
        }
        self.queue.clear();
        for start in (0..last).step_by(RUN) {
            let end = last.min(start + RUN);
            (start..end).for_each(|at| self.push_pair(merges, at as u32));
            turns.spend(end - start).await;
        }
        while !self.queue.is_empty() {
            let before = self.taken;
            self.merge_some(merges);
            turns.spend(2 * (self.taken - before)).await;
        }
    }

    /// Takes up to [`RUN`] pairs from the queue.
    fn merge_some(&mut self, merges: &Merges) {
        for _ in 0..RUN {
            let Some(Reverse((_, at, left_id, right_id))) = self.queue.pop() else { return };
            self.taken += 1;
            let left = self.symbols[at as usize].clone();
            if left.len == 0 || left.id != left_id || left.next == NONE {
                continue;
            }
            let right = self.symbols[left.next as usize].clone();
            if right.id != right_id {
                continue;
            }
            let Some(&(_, merged)) = merges.get(&pair(left_id, right_id)) else { continue };
            self.symbols[left.next as usize].len = 0;
            let symbol = &mut self.symbols[at as usize];
            symbol.id = merged;
            symbol.len += right.len;
            symbol.next = right.next;
            if right.next != NONE {
                self.symbols[right.next as usize].previous = at;
                self.push_pair(merges, at);
            }
            if left.previous != NONE {
                self.push_pair(merges, left.previous);
            }
        }
    }

    /// Queues the pair of the symbol at `left` and the one after it, if it merges.
    fn push_pair(&mut self, merges: &Merges, left: u32) {
        let symbol = &self.symbols[left as usize];
        let right_id = self.symbols[symbol.next as usize].id;
        if let Some(&(rank, _)) = merges.get(&pair(symbol.id, right_id)) {
            self.queue.push(Reverse((rank, left, symbol.id, right_id)));
        }
    }
}

/// Hashes a pair of symbols with two multiplications, from the vocabulary's seed.
#[derive(Debug, Default, Clone)]
struct PairHasher(u64);

impl BuildHasher for PairHasher {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        self.clone()
    }
}

impl Hasher for PairHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, pair: u64) {
        let mixed = (self.0 ^ pair).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.0 ^= self.0 >> 32;
    }
}

/// The standard hash with fixed keys: `HashMap`'s default would ask the platform for random ones.
pub(crate) type TextHasher = std::hash::DefaultHasher;

#[cfg(test)]
mod tests {
    use super::super::slices::finished;
    use super::*;

    #[test]
    fn work_grows_with_the_word_not_its_square() {
        // Symbols 0, 1, 2, ...: two of each merge into the next, so that a long run merges all the way up.
        let mut merges = Merges::default();
        for symbol in 0..20 {
            merges.insert(pair(symbol, symbol), (symbol, symbol + 1));
        }
        for len in [1_000, 100_000] {
            let mut scratch = Scratch::default();
            scratch.symbols.extend((0..len).map(|at| Symbol::new(0, at, 1)));
            finished(scratch.merge(&merges, &Turns::default()));
            assert_eq!(scratch.symbols.iter().map(|symbol| symbol.len).sum::<usize>(), len);
            assert!(scratch.taken < 4 * len, "{} pairs for {len} symbols", scratch.taken);
        }
    }
}
