//! Texts with dense ids and look-up in both directions, in three allocations whatever the vocabulary's size.

use super::error::TokenizerError;
use std::hash::{DefaultHasher, Hasher};

/// Probes allowed per insertion, on average, before a vocabulary is taken for one crafted to collide.
const PROBES_PER_TEXT_MAX: usize = 64;

/// All texts in one buffer, and an open-addressing table of their ids.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextIndex {
    arena: String,
    /// Start and end of each text in `arena`, bytes, by id.
    spans: Vec<(u32, u32)>,
    /// Id + 1, or 0 where free. A power of two long, at most half full.
    slots: Vec<u32>,
    probes: usize,
    /// Of the file's own texts, so that nobody can choose texts that collide.
    seed: u64,
}

impl TextIndex {
    /// An empty index with room for `len` texts of `len_bytes` in all.
    pub(crate) fn with_capacity(len: usize, len_bytes: usize) -> Self {
        Self {
            arena: String::with_capacity(len_bytes),
            spans: Vec::with_capacity(len),
            slots: vec![0; (len.max(8) * 2).next_power_of_two()],
            probes: 0,
            seed: 0,
        }
    }

    /// Makes places depend on these texts as a whole. Before the first text is added.
    pub(crate) fn seed<'t>(&mut self, texts: impl Iterator<Item = &'t String>) {
        let mut hasher = DefaultHasher::new();
        texts.for_each(|text| hasher.write(text.as_bytes()));
        self.seed = hasher.finish();
    }

    /// A number that nobody can know before the vocabulary is complete.
    pub(crate) fn own_seed(&self) -> u64 {
        self.seed
    }

    /// The text of an id, empty for an id that does not exist.
    pub(crate) fn text(&self, id: u32) -> &str {
        match self.spans.get(id as usize) {
            Some(&(start, end)) => &self.arena[start as usize..end as usize],
            None => "",
        }
    }

    /// The id of a text.
    pub(crate) fn get(&self, text: &str) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash(text.as_bytes(), self.seed) as usize & mask;
        loop {
            match self.slots[at] {
                0 => return None,
                slot if self.text(slot - 1) == text => return Some(slot - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Adds a text unless it is there; its id, and whether it is new.
    pub(crate) fn insert(&mut self, text: &str) -> Result<(u32, bool), TokenizerError> {
        if (self.spans.len() + 1) * 2 > self.slots.len() {
            self.grow()?;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(text.as_bytes(), self.seed) as usize & mask;
        while self.slots[at] != 0 {
            let id = self.slots[at] - 1;
            if self.text(id) == text {
                return Ok((id, false));
            }
            at = (at + 1) & mask;
            self.count_probe()?;
        }
        let start = u32::try_from(self.arena.len()).map_err(|_| TokenizerError::BadVocabulary)?;
        let end = u32::try_from(self.arena.len() + text.len()).map_err(|_| TokenizerError::BadVocabulary)?;
        let id = u32::try_from(self.spans.len()).map_err(|_| TokenizerError::BadVocabulary)?;
        self.arena.push_str(text);
        self.spans.push((start, end));
        self.slots[at] = id + 1;
        Ok((id, true))
    }

    fn count_probe(&mut self) -> Result<(), TokenizerError> {
        self.probes += 1;
        if self.probes > PROBES_PER_TEXT_MAX * (self.spans.len() + 1024) {
            return Err(TokenizerError::BadVocabulary);
        }
        Ok(())
    }

    fn grow(&mut self) -> Result<(), TokenizerError> {
        let len = (self.slots.len() * 2).max(16);
        self.slots = vec![0; len];
        for id in 0..self.spans.len() as u32 {
            let mut at = hash(self.text(id).as_bytes(), self.seed) as usize & (len - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (len - 1);
                self.count_probe()?;
            }
            self.slots[at] = id + 1;
        }
        Ok(())
    }
}

/// Eight bytes per multiplication, whose halves are folded: speed matters, as merges by score look up several texts per
/// character.
fn hash(bytes: &[u8], seed: u64) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |state: u64, word: [u8; 8]| {
        let product = u128::from(state ^ u64::from_le_bytes(word)) * u128::from((K ^ seed) | 1);
        (product as u64) ^ ((product >> 64) as u64)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let state =
        words.iter().fold((bytes.len() as u64) ^ K.rotate_left(32) ^ seed, |state, word| fold(state, *word));
    let mut word = [0; 8];
    word[..rest.len()].copy_from_slice(rest);
    let state = fold(state, word).wrapping_mul(K);
    state ^ (state >> 29)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn finds_what_was_inserted() {
        let mut index = TextIndex::with_capacity(0, 0);
        for i in 0..10_000u32 {
            assert_eq!(index.insert(&format!("token {i}")).unwrap(), (i, true));
        }
        assert_eq!(index.insert("token 77").unwrap(), (77, false));
        for i in 0..10_000u32 {
            assert_eq!(index.get(&format!("token {i}")), Some(i));
            assert_eq!(index.text(i), format!("token {i}"));
        }
        assert_eq!(index.get("token 10000"), None);
        assert_eq!(index.text(10_000), "");
        assert!(index.probes < 10_000 * 4, "{}", index.probes);
    }

    #[test]
    fn an_empty_index_finds_nothing() {
        assert_eq!(TextIndex::default().get("a"), None);
        assert_eq!(TextIndex::default().insert("a").unwrap(), (0, true));
    }
}
