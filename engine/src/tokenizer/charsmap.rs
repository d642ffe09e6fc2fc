//! SentencePiece's compiled table of replacements: how many bytes its trie has (u32), the trie, then the replacements, each
//! with a NUL behind it. The trie is a double array over bytes as Darts-clone writes it: a node's word holds the byte that
//! leads to it, whether a key ends there, and the offset that leads on.

use super::error::TokenizerError;
use super::slices::Turns;

/// Longest text that is replaced, and that replaces one, bytes. Compatibility forms of Unicode have up to 33.
const KEY_LEN_MAX: usize = 256;
const REPLACEMENT_LEN_MAX: usize = 256;
/// Longest text that replacements may lead to, bytes.
const GROWN_LEN_MAX_BYTES: usize = 16 << 20;

/// A table of replacements.
#[derive(Debug)]
pub(crate) struct Charsmap {
    trie: Vec<u32>,
    texts: Vec<u8>,
}

impl Charsmap {
    /// `None` where the bytes are no such table.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (len_bytes, rest) = bytes.split_first_chunk::<4>()?;
        let (trie, texts) = rest.split_at_checked(u32::from_le_bytes(*len_bytes) as usize)?;
        let (words, tail) = trie.as_chunks::<4>();
        let trie: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
        (tail.is_empty() && !trie.is_empty()).then(|| Charsmap { trie, texts: texts.to_vec() })
    }

    /// The text with every longest prefix that has a replacement replaced, from left to right.
    ///
    /// # Errors
    /// [`TokenizerError::TextTooLong`] where it becomes far longer.
    pub(crate) async fn apply(&self, text: &str, turns: &Turns) -> Result<String, TokenizerError> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let (len_bytes, replacement) =
                self.longest(rest).unwrap_or((c.len_utf8(), &rest[..c.len_utf8()]));
            out.push_str(replacement);
            rest = &rest[len_bytes..];
            if out.len() > GROWN_LEN_MAX_BYTES {
                let (len_bytes, len_bytes_max) = (out.len(), GROWN_LEN_MAX_BYTES);
                return Err(TokenizerError::TextTooLong { len_bytes, len_bytes_max });
            }
            turns.spend(1).await;
        }
        Ok(out)
    }

    /// The longest prefix that has a replacement: its bytes, and that.
    fn longest<'a>(&'a self, text: &str) -> Option<(usize, &'a str)> {
        let mut found = None;
        let mut node = offset(*self.trie.first()?);
        for (i, byte) in text.bytes().take(KEY_LEN_MAX).enumerate() {
            node ^= u32::from(byte);
            // Words of values have the highest bit set, so that no byte leads to them.
            let Some(&word) = self.trie.get(node as usize) else { break };
            if word & 0x8000_00ff != u32::from(byte) {
                break;
            }
            node ^= offset(word);
            if word & 0x100 != 0 && text.is_char_boundary(i + 1) {
                let value = self.trie.get(node as usize).map(|value| value & 0x7fff_ffff);
                let replacement = value.and_then(|at| self.text(at as usize));
                found = replacement.map(|replacement| (i + 1, replacement)).or(found);
            }
        }
        found
    }

    fn text(&self, at: usize) -> Option<&str> {
        let bytes = self.texts.get(at..)?;
        let end = bytes.iter().take(REPLACEMENT_LEN_MAX + 1).position(|b| *b == 0)?;
        std::str::from_utf8(&bytes[..end]).ok()
    }
}

/// What leads from a node to its children, with their byte XORed to it.
fn offset(word: u32) -> u32 {
    (word >> 10) << ((word & 0x200) >> 6)
}
