//! WordPiece as GGUF files store it: tokens that begin a word carry a space mark (U+2581) instead of the others
//! carrying `##`.
//!
//! `tokenizers` has the model and its normaliser; vocabularies in this form, and the reference implementation's
//! treatment of marks and decompositions, it does not express.

use super::charclass::{BACKTICK, CONTROL, MARK, PUNCTUATION, SYMBOL_ASCII, WHITESPACE, bits_of};
use super::vocab::Vocab;
use crate::gguf::Metadata;
use unicode_normalization::char::decompose_canonical;

/// Longest token that is looked for, bytes: bounds the work per character whatever the file holds.
const TOKEN_LEN_MAX: usize = 256;

/// How texts are normalised.
#[derive(Debug)]
pub(crate) struct WordPiece {
    lowercase: bool,
    strip_accents: bool,
    /// Length of the longest token, bytes.
    token_len_max: usize,
}

impl WordPiece {
    pub(crate) fn new(vocab: &Vocab, metadata: &Metadata) -> Self {
        let lowercase = metadata.bool("tokenizer.ggml.normalizer.lowercase").unwrap_or(true);
        let strip_accents = metadata.bool("tokenizer.ggml.normalizer.strip_accents").unwrap_or(lowercase);
        let token_len_max =
            (0..vocab.len).map(|id| vocab.text(id).len()).max().unwrap_or(0).min(TOKEN_LEN_MAX);
        Self { lowercase, strip_accents, token_len_max }
    }

    /// Appends the tokens of a text without special tokens.
    pub(crate) fn encode(&self, vocab: &Vocab, text: &str, out: &mut Vec<u32>) {
        let mut word = String::from('\u{2581}');
        let mark_len = word.len();
        let flush = |word: &mut String, out: &mut Vec<u32>| {
            if word.len() > mark_len {
                self.encode_word(vocab, word, out);
                word.truncate(mark_len);
            }
        };
        for c in text.chars() {
            if c.is_ascii_alphanumeric() {
                word.push(if self.lowercase { c.to_ascii_lowercase() } else { c });
                continue;
            }
            let c = if self.strip_accents { base_of(c) } else { c };
            let bits = bits_of(c);
            if bits & WHITESPACE != 0 {
                flush(&mut word, out);
                continue;
            }
            if c == '\u{fffd}' || bits & CONTROL != 0 || (self.strip_accents && bits & MARK != 0) {
                continue;
            }
            let c = if self.lowercase { lower(c) } else { c };
            if bits & (PUNCTUATION | SYMBOL_ASCII | BACKTICK) != 0 || is_ideograph(c) {
                flush(&mut word, out);
                word.push(c);
                flush(&mut word, out);
            } else {
                word.push(c);
            }
        }
        flush(&mut word, out);
    }

    /// The longest token, then the longest of what remains, and so on; the unknown token where there is none.
    fn encode_word(&self, vocab: &Vocab, word: &str, out: &mut Vec<u32>) {
        let start = out.len();
        let mut at = 0;
        while at < word.len() {
            let longest = (at + 1..=word.len().min(at + self.token_len_max)).rev();
            let found = longest.filter_map(|end| Some((vocab.token(word.get(at..end)?)?, end))).next();
            let Some((id, end)) = found else {
                out.truncate(start);
                out.extend(vocab.roles.unknown);
                return;
            };
            out.push(id);
            at = end;
        }
    }
}

/// The first character of the canonical decomposition: the letter without its accents.
fn base_of(c: char) -> char {
    let mut base = None;
    decompose_canonical(c, |part| {
        base.get_or_insert(part);
    });
    base.unwrap_or(c)
}

/// The lower case of a character where that is a single character.
pub(crate) fn lower(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) => lower,
        _ => c,
    }
}

/// The ideographs that stand for words of their own (the ranges of the original BERT tokenizer).
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x4e00..=0x9fff | 0x3400..=0x4dbf | 0x20000..=0x2a6df | 0x2a700..=0x2b73f | 0x2b740..=0x2b81f
        | 0x2b920..=0x2ceaf | 0xf900..=0xfaff | 0x2f800..=0x2fa1f)
}
