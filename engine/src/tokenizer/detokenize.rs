//! Tokens back to text: all at once, or one by one as they are generated.

use super::bytes::{byte_of, byte_token_value};
use super::vocab::{BYTE, CONTROL, NORMAL, UNKNOWN, USER_DEFINED, Vocab};
use std::sync::Arc;

/// How token texts are spelled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Spelling {
    /// In printable stand-ins for bytes.
    Bytes,
    /// With U+2581 for a space.
    Marks,
}

/// Appends the bytes of a token. Unknown ids, unused tokens and, unless asked for, control tokens add nothing.
pub(crate) fn push_piece(
    vocab: &Vocab,
    spelling: Spelling,
    id: u32,
    render_special: bool,
    out: &mut Vec<u8>,
) {
    let (text, kind) = (vocab.text(id), vocab.kind(id));
    if kind & (CONTROL | UNKNOWN) != 0 {
        if render_special {
            out.extend_from_slice(text.as_bytes());
        }
    } else if kind & USER_DEFINED != 0 {
        out.extend_from_slice(text.as_bytes());
    } else if kind & BYTE != 0 {
        out.extend(byte_token_value(text));
    } else if kind & NORMAL != 0 {
        for c in text.chars() {
            match (spelling, byte_of(c)) {
                (Spelling::Bytes, Some(byte)) => out.push(byte),
                (Spelling::Marks, _) if c == '\u{2581}' => out.push(b' '),
                _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }
}

/// Drops the space before `? ! . ,`, the spaces around a lone apostrophe, and the space before `'s 'm 're 've`:
/// three passes in this order, as the reference implementation cleans up what WordPiece and early byte-level
/// vocabularies spread out.
pub(crate) fn clean_spaces(text: &[u8]) -> Vec<u8> {
    let before_mark = |out: &mut Vec<u8>, text: &[u8], at: usize| {
        if text[at - 1] == b' ' && matches!(text[at], b'?' | b'!' | b'.' | b',') {
            out.pop();
        }
        out.push(text[at]);
        at + 1
    };
    let lone_apostrophe = |out: &mut Vec<u8>, text: &[u8], at: usize| {
        if text[at] == b'\'' && text[at - 1] == b' ' && text.get(at + 1) == Some(&b' ') {
            out.pop();
            out.push(b'\'');
            return at + 2;
        }
        out.push(text[at]);
        at + 1
    };
    let contraction = |out: &mut Vec<u8>, text: &[u8], at: usize| {
        if text[at - 1] == b' '
            && matches!(&text[at..], [b'\'', b's' | b'm', ..] | [b'\'', b'r' | b'v', b'e', ..])
        {
            out.pop();
        }
        out.push(text[at]);
        at + 1
    };
    let text = pass(text, before_mark);
    let text = pass(&text, lone_apostrophe);
    pass(&text, contraction)
}

/// Copies the first byte, then lets `step` copy from each position on; it answers where to go on.
fn pass(text: &[u8], step: impl Fn(&mut Vec<u8>, &[u8], usize) -> usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    out.extend(text.first());
    let mut at = 1;
    while at < text.len() {
        at = step(&mut out, text, at);
    }
    out
}

/// The bytes of single tokens, for those who look at many. Independent of the tokenizer's lifetime.
#[derive(Debug, Clone)]
pub struct Pieces {
    vocab: Arc<Vocab>,
    spelling: Spelling,
}

impl Pieces {
    pub(crate) fn new(vocab: Arc<Vocab>, spelling: Spelling) -> Self {
        Self { vocab, spelling }
    }

    /// Appends the bytes of a token as it appears inside a text; control tokens add nothing.
    pub fn push(&self, id: u32, out: &mut Vec<u8>) {
        push_piece(&self.vocab, self.spelling, id, false, out);
    }
}

/// Turns a stream of tokens into a stream of text that can be shown at once: a character whose bytes come in several
/// tokens is held back until it is whole. Bytes that can never become a character appear as U+FFFD.
///
/// It continues a text: a leading space is kept, control tokens are left out.
#[derive(Debug, Clone)]
pub struct Detokenizer {
    vocab: Arc<Vocab>,
    spelling: Spelling,
    render_special: bool,
    /// Bytes of a character that is not whole yet, fewer than four between calls.
    tail: Vec<u8>,
}

impl Detokenizer {
    pub(crate) fn new(vocab: Arc<Vocab>, spelling: Spelling) -> Self {
        Self { vocab, spelling, render_special: false, tail: Vec::new() }
    }

    /// Shows control tokens by their names too, for debugging.
    #[must_use]
    pub fn with_special(mut self) -> Self {
        self.render_special = true;
        self
    }

    /// The text that the next token completes; often its own, sometimes empty.
    pub fn push(&mut self, id: u32) -> String {
        push_piece(&self.vocab, self.spelling, id, self.render_special, &mut self.tail);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.tail) {
                Ok(whole) => {
                    text.push_str(whole);
                    self.tail.clear();
                    return text;
                }
                Err(error) => {
                    let valid = error.valid_up_to();
                    text.push_str(std::str::from_utf8(&self.tail[..valid]).unwrap_or_default());
                    match error.error_len() {
                        Some(bad) => {
                            text.push(char::REPLACEMENT_CHARACTER);
                            self.tail.drain(..valid + bad);
                        }
                        None => {
                            self.tail.drain(..valid);
                            return text;
                        }
                    }
                }
            }
        }
    }

    /// What is left at the end: U+FFFD for a character that was never completed, else nothing.
    pub fn finish(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.tail).into_owned();
        self.tail.clear();
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_are_cleaned() {
        let cases = [
            ("", ""),
            (" ", " "),
            (" hello , y ' all ! how ' s", " hello, y'all! how's"),
            ("i 've it 's i 'm we 're don 't he 'd we 'll", "i've it's i'm we're don 't he 'd we 'll"),
            ("a . b", "a. b"),
            (". .", ".."),
            ("'", "'"),
            (" ' ", "' "),
        ];
        for (text, expected) in cases {
            let cleaned = clean_spaces(text.as_bytes());
            // A space, an apostrophe and a space lose both spaces only when something is before them.
            let expected = if text == " ' " { "'" } else { expected };
            assert_eq!(String::from_utf8_lossy(&cleaned), expected, "{text:?}");
        }
    }
}
