//! Unicode classes of characters, as bits: what pre-tokenizers and the WordPiece normaliser ask of a character.
//!
//! The tables are those of `bitcannon`, the pre-tokenizer core of Hugging Face's `tokenizers`.

use bitcannon::classify::{Atom, CONT, classify};

pub(crate) const UPPER_ASCII: u32 = 1;
pub(crate) const LOWER_ASCII: u32 = 1 << 1;
/// `Lu` and `Lt` outside ASCII.
pub(crate) const UPPER_OTHER: u32 = 1 << 2;
/// `Ll` outside ASCII.
pub(crate) const LOWER_OTHER: u32 = 1 << 3;
/// `Lm` and `Lo`.
pub(crate) const LETTER_CASELESS: u32 = 1 << 4;
pub(crate) const MARK: u32 = 1 << 5;
pub(crate) const DIGIT_ASCII: u32 = 1 << 6;
pub(crate) const NUMBER_OTHER: u32 = 1 << 7;
/// CR and LF.
pub(crate) const NEWLINE: u32 = 1 << 8;
/// U+0020.
pub(crate) const SPACE: u32 = 1 << 9;
/// White space other than CR, LF and U+0020.
pub(crate) const WHITESPACE_OTHER: u32 = 1 << 10;
pub(crate) const APOSTROPHE: u32 = 1 << 11;
pub(crate) const SLASH: u32 = 1 << 12;
/// ASCII punctuation other than the apostrophe and the slash.
pub(crate) const PUNCTUATION_ASCII: u32 = 1 << 13;
pub(crate) const SYMBOL_ASCII: u32 = 1 << 14;
pub(crate) const PUNCTUATION_OTHER: u32 = 1 << 15;
pub(crate) const SYMBOL_OTHER: u32 = 1 << 16;
/// Controls, format characters, unassigned code points.
pub(crate) const CONTROL: u32 = 1 << 17;
/// The back-tick, which one rule set counts with the symbols and another does not.
pub(crate) const BACKTICK: u32 = 1 << 18;

pub(crate) const LETTER: u32 = UPPER_ASCII | LOWER_ASCII | UPPER_OTHER | LOWER_OTHER | LETTER_CASELESS;
pub(crate) const NUMBER: u32 = DIGIT_ASCII | NUMBER_OTHER;
pub(crate) const WHITESPACE: u32 = NEWLINE | SPACE | WHITESPACE_OTHER;
pub(crate) const PUNCTUATION: u32 = APOSTROPHE | SLASH | PUNCTUATION_ASCII | PUNCTUATION_OTHER;
pub(crate) const SYMBOL: u32 = SYMBOL_ASCII | BACKTICK | SYMBOL_OTHER;
/// Every class.
pub(crate) const ANY: u32 = (1 << 19) - 1;

/// The characters of a text: where each begins, and its classes.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// Byte offset of each character, and the text's length at the end.
    pub(crate) offsets: Vec<u32>,
    /// Class bits of each character.
    pub(crate) bits: Vec<u32>,
    tags: Vec<u8>,
}

impl Classes {
    /// Classifies every character. The text must be shorter than 4 GiB.
    pub(crate) fn read(&mut self, text: &str) {
        self.tags.clear();
        self.tags.resize(text.len(), 0);
        classify(text.as_bytes(), &mut self.tags);
        self.offsets.clear();
        self.bits.clear();
        let bytes = text.as_bytes();
        for (at, (&tag, &byte)) in self.tags.iter().zip(bytes).enumerate() {
            if tag == CONT {
                continue;
            }
            self.offsets.push(at as u32);
            self.bits.push(if byte < 0x80 { ascii_bits(byte, tag) } else { other_bits(tag) });
        }
        self.offsets.push(text.len() as u32);
    }
}

/// Class bits of one character.
pub(crate) fn bits_of(c: char) -> u32 {
    let mut utf8 = [0; 4];
    let text = c.encode_utf8(&mut utf8).as_bytes();
    let mut tags = [0; 4];
    classify(text, &mut tags[..text.len()]);
    if c.is_ascii() { ascii_bits(text[0], tags[0]) } else { other_bits(tags[0]) }
}

fn ascii_bits(byte: u8, tag: u8) -> u32 {
    match byte {
        b'A'..=b'Z' => UPPER_ASCII,
        b'a'..=b'z' => LOWER_ASCII,
        b'0'..=b'9' => DIGIT_ASCII,
        b'\r' | b'\n' => NEWLINE,
        b' ' => SPACE,
        b'\'' => APOSTROPHE,
        b'/' => SLASH,
        b'$' | b'+' | b'<' | b'=' | b'>' | b'^' | b'|' | b'~' => SYMBOL_ASCII,
        b'`' => BACKTICK,
        _ if byte.is_ascii_punctuation() => PUNCTUATION_ASCII,
        _ if tag == Atom::WsOther as u8 => WHITESPACE_OTHER,
        _ => CONTROL,
    }
}

fn other_bits(tag: u8) -> u32 {
    const UPPER: u8 = Atom::UpperLetter as u8;
    const LOWER: u8 = Atom::LowerLetter as u8;
    const LETTER_TAG: u8 = Atom::Letter as u8;
    const HAN: u8 = Atom::HanLetter as u8;
    const MARK_TAG: u8 = Atom::Mark as u8;
    // Letter-like symbols (circled letters) share the coarse class of marks.
    const ALPHA_SYMBOL: u8 = Atom::AlphaSymMark as u8;
    const JOINER: u8 = Atom::Zwj as u8;
    match tag {
        UPPER => UPPER_OTHER,
        LOWER => LOWER_OTHER,
        LETTER_TAG | HAN => LETTER_CASELESS,
        MARK_TAG => MARK,
        ALPHA_SYMBOL => SYMBOL_OTHER,
        JOINER => CONTROL,
        _ => match tag & 0x0f {
            t if t == Atom::NumWord as u8 || t == Atom::NumOther as u8 => NUMBER_OTHER,
            t if t == Atom::WsOther as u8 || t == Atom::Newline as u8 || t == Atom::Space as u8 => {
                WHITESPACE_OTHER
            }
            t if t == Atom::Connector as u8 || t == Atom::Punct as u8 => PUNCTUATION_OTHER,
            t if t == Atom::SymOther as u8 => SYMBOL_OTHER,
            _ => CONTROL,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_known_characters() {
        let cases = [
            ('A', UPPER_ASCII),
            ('z', LOWER_ASCII),
            ('É', UPPER_OTHER),
            ('é', LOWER_OTHER),
            ('ǅ', UPPER_OTHER),
            ('ª', LETTER_CASELESS),
            ('你', LETTER_CASELESS),
            ('ん', LETTER_CASELESS),
            ('\u{301}', MARK),
            ('ा', MARK),
            ('7', DIGIT_ASCII),
            ('٣', NUMBER_OTHER),
            ('Ⅳ', NUMBER_OTHER),
            ('½', NUMBER_OTHER),
            ('\n', NEWLINE),
            ('\r', NEWLINE),
            (' ', SPACE),
            ('\t', WHITESPACE_OTHER),
            ('\u{a0}', WHITESPACE_OTHER),
            ('\u{85}', WHITESPACE_OTHER),
            ('\u{2003}', WHITESPACE_OTHER),
            ('\'', APOSTROPHE),
            ('/', SLASH),
            ('_', PUNCTUATION_ASCII),
            ('+', SYMBOL_ASCII),
            ('`', BACKTICK),
            ('…', PUNCTUATION_OTHER),
            ('—', PUNCTUATION_OTHER),
            ('🚀', SYMBOL_OTHER),
            ('€', SYMBOL_OTHER),
            ('ⓐ', SYMBOL_OTHER),
            ('\u{1}', CONTROL),
            ('\u{7f}', CONTROL),
            ('\u{200d}', CONTROL),
            ('\u{ad}', CONTROL),
            ('\u{fffd}', SYMBOL_OTHER),
        ];
        for (c, bits) in cases {
            assert_eq!(bits_of(c), bits, "{c:?}");
            let mut classes = Classes::default();
            classes.read(&format!("x{c}y"));
            assert_eq!(classes.bits, [LOWER_ASCII, bits, LOWER_ASCII], "{c:?}");
        }
    }
}
