//! WordPiece as GGUF files store it: tokens that begin a word carry a space mark (U+2581) instead of the others
//! carrying `##`.
//!
//! `tokenizers` has the model and its normaliser; vocabularies in this form, and the reference implementation's
//! treatment of marks and decompositions, it does not express.

use super::charclass::{BACKTICK, CONTROL, MARK, PUNCTUATION, SYMBOL_ASCII, WHITESPACE, bits_of};
use super::prefixes::Prefixes;
use super::slices::Turns;
use super::vocab::Vocab;
use crate::gguf::Metadata;
use unicode_normalization::char::decompose_canonical;

/// How texts are normalised.
#[derive(Debug)]
pub(crate) struct WordPiece {
    lowercase: bool,
    strip_accents: bool,
    tokens: Prefixes,
}

impl WordPiece {
    pub(crate) fn new(vocab: &Vocab, metadata: &Metadata) -> Self {
        let lowercase = metadata.bool("tokenizer.ggml.normalizer.lowercase").unwrap_or(true);
        let strip_accents = metadata.bool("tokenizer.ggml.normalizer.strip_accents").unwrap_or(lowercase);
        Self { lowercase, strip_accents, tokens: Prefixes::new(vocab, 0..vocab.len) }
    }

    /// Appends the tokens of a text without special tokens.
    pub(crate) async fn encode(&self, vocab: &Vocab, text: &str, out: &mut Vec<u32>, turns: &Turns) {
        let mut word = String::from('\u{2581}');
        for c in text.chars() {
            turns.spend(1).await;
            match self.read(c) {
                Read::Nothing => {}
                Read::Letter(c) => word.push(c),
                Read::Space => self.flush(vocab, &mut word, out, turns).await,
                Read::Alone(c) => {
                    self.flush(vocab, &mut word, out, turns).await;
                    word.push(c);
                    self.flush(vocab, &mut word, out, turns).await;
                }
            }
        }
        self.flush(vocab, &mut word, out, turns).await;
    }

    fn read(&self, c: char) -> Read {
        if c.is_ascii_alphanumeric() {
            return Read::Letter(if self.lowercase { c.to_ascii_lowercase() } else { c });
        }
        let c = if self.strip_accents { base_of(c) } else { c };
        let bits = bits_of(c);
        if bits & WHITESPACE != 0 {
            return Read::Space;
        }
        if c == '\u{fffd}' || bits & CONTROL != 0 || (self.strip_accents && bits & MARK != 0) {
            return Read::Nothing;
        }
        let c = if self.lowercase { lower(c) } else { c };
        let is_alone = bits & (PUNCTUATION | SYMBOL_ASCII | BACKTICK) != 0 || is_ideograph(c);
        if is_alone { Read::Alone(c) } else { Read::Letter(c) }
    }

    /// Encodes what stands behind the mark in `word`: the longest token, then the longest of what remains, and so on; the
    /// unknown token where there is none.
    async fn flush(&self, vocab: &Vocab, word: &mut String, out: &mut Vec<u32>, turns: &Turns) {
        let (start, mark_len) = (out.len(), '\u{2581}'.len_utf8());
        let mut at = if word.len() > mark_len { 0 } else { word.len() };
        while at < word.len() {
            let Some(id) = self.tokens.of_text(vocab, &word.as_bytes()[at..]).next() else {
                out.truncate(start);
                out.extend(vocab.roles.unknown);
                break;
            };
            out.push(id);
            at += vocab.text(id).len();
            turns.spend(1).await;
        }
        word.truncate(mark_len);
    }
}

/// What a character means for the words.
enum Read {
    Nothing,
    Space,
    Letter(char),
    /// A word of its own.
    Alone(char),
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
