//! What is known of a file's bytes: which have arrived, and what their hashes are.
//!
//! A file is chunks of 4 MiB. While a chunk arrives its blocks of 1 MiB have hashes of their own, so that little is lost
//! when the worker dies. Nothing is noted here before it is on the disk.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::hash::{Hash, Running};

/// What has a hash of its own once it is there.
pub const CHUNK_BYTES: u64 = 4 << 20;

/// What is written and noted at once while a chunk arrives.
pub const BLOCK_BYTES: u64 = 1 << 20;

/// Longest file: its chunks can be counted and noted.
pub const LEN_BYTES_MAX: u64 = 1 << 40;

/// A chunk of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Chunk {
    #[default]
    Missing,
    /// On its way: the hashes of its blocks so far.
    Open(Vec<Hash>),
    Whole(Hash),
    /// On the disk are other bytes than those that had this hash.
    Damaged(Hash),
}

/// The chunks of a file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ledger {
    len_bytes: Option<u64>,
    chunks: Vec<Chunk>,
    /// Hash of the chunks before `running_chunks`.
    running: Running,
    running_chunks: usize,
}

impl Ledger {
    /// Of a file of which nothing has arrived.
    pub fn new(len_bytes: Option<u64>) -> Ledger {
        Ledger { len_bytes, ..Ledger::default() }
    }

    /// The file's length; `None` while unknown.
    pub fn len_bytes(&self) -> Option<u64> {
        self.len_bytes
    }

    /// False for what no file can have, such as bytes behind its end.
    pub fn is_sound(&self) -> bool {
        let blocks_max = (CHUNK_BYTES / BLOCK_BYTES) as usize;
        let counted = |chunk: &Chunk| !matches!(chunk, Chunk::Open(blocks) if blocks.len() > blocks_max);
        self.len_bytes.unwrap_or_default() <= LEN_BYTES_MAX
            && self.chunks.len() <= self.count()
            && self.running_chunks <= self.chunks.len()
            && self.chunks.iter().all(counted)
    }

    /// Notes the file's length. False where it contradicts what is known, or is beyond [`LEN_BYTES_MAX`].
    pub fn learn_len(&mut self, len_bytes: u64) -> bool {
        let count = len_bytes.div_ceil(CHUNK_BYTES) as usize;
        let fits = len_bytes <= LEN_BYTES_MAX
            && self.len_bytes.is_none_or(|known| known == len_bytes)
            && self.chunks.len() <= count;
        if fits {
            self.len_bytes = Some(len_bytes);
        }
        fits
    }

    /// Number of chunks; of those that are known of, while the length is unknown.
    pub fn count(&self) -> usize {
        let count = |len_bytes: u64| usize::try_from(len_bytes.div_ceil(CHUNK_BYTES)).unwrap_or(usize::MAX);
        self.len_bytes.map_or(self.chunks.len(), count)
    }

    /// Number of chunks of which something is known.
    pub fn known(&self) -> usize {
        self.chunks.len()
    }

    /// The bytes of a chunk.
    pub fn range(&self, chunk: usize) -> Range<u64> {
        let start = chunk as u64 * CHUNK_BYTES;
        let end = start + CHUNK_BYTES;
        start..self.len_bytes.map_or(end, |len_bytes| end.min(len_bytes))
    }

    fn chunk(&self, chunk: usize) -> &Chunk {
        self.chunks.get(chunk).unwrap_or(&Chunk::Missing)
    }

    fn set(&mut self, chunk: usize, state: Chunk) {
        if self.chunks.len() <= chunk {
            self.chunks.resize(chunk + 1, Chunk::Missing);
        }
        if let Some(place) = self.chunks.get_mut(chunk) {
            *place = state;
        }
    }

    /// The hash that a chunk has or had.
    pub fn hash(&self, chunk: usize) -> Option<Hash> {
        match self.chunk(chunk) {
            Chunk::Whole(hash) | Chunk::Damaged(hash) => Some(*hash),
            _ => None,
        }
    }

    /// True where a chunk is there.
    pub fn is_whole(&self, chunk: usize) -> bool {
        matches!(self.chunk(chunk), Chunk::Whole(_))
    }

    /// True where the length is known and every chunk is there.
    pub fn all_whole(&self) -> bool {
        self.len_bytes.is_some() && (0..self.count()).all(|chunk| self.is_whole(chunk))
    }

    /// The hashes of the blocks of a chunk that is on its way.
    pub fn open_blocks(&self, chunk: usize) -> &[Hash] {
        match self.chunk(chunk) {
            Chunk::Open(hashes) => hashes,
            _ => &[],
        }
    }

    /// First byte of a chunk that has not arrived.
    pub fn wanted_from(&self, chunk: usize) -> u64 {
        self.range(chunk).start + self.open_blocks(chunk).len() as u64 * BLOCK_BYTES
    }

    /// Notes the next block of a chunk.
    pub fn add_block(&mut self, chunk: usize, hash: Hash) {
        let mut hashes = self.open_blocks(chunk).to_vec();
        hashes.push(hash);
        // A damaged chunk keeps the hash that it must have again.
        if !matches!(self.chunk(chunk), Chunk::Damaged(_)) {
            self.set(chunk, Chunk::Open(hashes));
        }
    }

    /// Forgets the blocks of a chunk from `keep` on.
    pub fn keep_blocks(&mut self, chunk: usize, keep: usize) {
        if let Some(Chunk::Open(hashes)) = self.chunks.get_mut(chunk) {
            hashes.truncate(keep);
        }
    }

    /// Notes a whole chunk. False where it is another than it was before it was damaged.
    pub fn add_chunk(&mut self, chunk: usize, hash: Hash) -> bool {
        if matches!(self.chunk(chunk), Chunk::Damaged(wanted) if *wanted != hash) {
            return false;
        }
        self.set(chunk, Chunk::Whole(hash));
        true
    }

    /// Notes whether a chunk on the disk still has this hash. One that has another by now is left alone.
    pub fn judge(&mut self, chunk: usize, hash: Hash, intact: bool) {
        if self.hash(chunk) == Some(hash) {
            self.set(chunk, if intact { Chunk::Whole(hash) } else { Chunk::Damaged(hash) });
        }
    }

    /// Notes that the file ends after so many bytes: what was behind them is gone.
    pub fn cut(&mut self, there_bytes: u64) {
        let gone = (0..self.chunks.len()).filter(|chunk| self.range(*chunk).end > there_bytes);
        for (chunk, hash) in gone.filter_map(|chunk| Some((chunk, self.hash(chunk)?))).collect::<Vec<_>>() {
            self.judge(chunk, hash, false);
        }
    }

    /// True where a chunk is known to have changed.
    pub fn has_damage(&self) -> bool {
        self.chunks.iter().any(|chunk| matches!(chunk, Chunk::Damaged(_)))
    }

    /// Chunks that are to be fetched, in order, but for those of `taken`. Without a length there is no end of them.
    pub fn next_span(&self, taken: &BTreeSet<usize>, chunks_max: usize) -> Option<Range<usize>> {
        let wanted = |chunk: &usize| !self.is_whole(*chunk) && !taken.contains(chunk);
        let end = self.len_bytes.map_or(usize::MAX, |_| self.count());
        let first = (0..end).find(wanted)?;
        let more = (first + 1..end).take(chunks_max - 1).take_while(|chunk| {
            // A chunk of which blocks are there begins a span, because a span is fetched without a gap.
            wanted(chunk) && self.open_blocks(*chunk).is_empty()
        });
        Some(first..first + 1 + more.count())
    }

    /// True where all these bytes are there.
    pub fn has(&self, bytes: Range<u64>) -> bool {
        if bytes.is_empty() {
            return true;
        }
        let chunks = (bytes.start / CHUNK_BYTES) as usize..=((bytes.end - 1) / CHUNK_BYTES) as usize;
        chunks.into_iter().all(|chunk| self.is_whole(chunk) || self.wanted_from(chunk) >= bytes.end)
    }

    /// Bytes that are there.
    pub fn stored_bytes(&self) -> u64 {
        let bytes = |chunk: usize| {
            let range = self.range(chunk);
            let end = if self.is_whole(chunk) { range.end } else { self.wanted_from(chunk) };
            end - range.start
        };
        (0..self.chunks.len()).map(bytes).sum()
    }

    /// The chunk whose bytes the hash of the file needs next, where it is there.
    pub fn next_to_hash(&self) -> Option<usize> {
        self.is_whole(self.running_chunks).then_some(self.running_chunks)
    }

    /// Goes on with the bytes of [`Self::next_to_hash`].
    pub fn hash_on(&mut self, bytes: &[u8]) {
        self.running.update(bytes);
        self.running_chunks += 1;
    }

    /// The hash of the file, once all of it was there.
    pub fn sha256(&self) -> Option<Hash> {
        (self.len_bytes.is_some() && self.running_chunks == self.count()).then(|| self.running.finish())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    const MIB: u64 = 1 << 20;

    fn hash(n: u8) -> Hash {
        Hash([n; 32])
    }

    #[test]
    fn bytes_arrive_in_any_order_and_are_asked_for_once() {
        let mut ledger = Ledger::new(None);
        assert_eq!(ledger.next_span(&BTreeSet::new(), 3), Some(0..3));
        assert!(ledger.learn_len(10 * MIB + 5) && !ledger.learn_len(11 * MIB));
        assert_eq!(ledger.count(), 3);
        assert_eq!(ledger.range(2), 8 * MIB..10 * MIB + 5);
        assert_eq!(ledger.next_span(&BTreeSet::new(), 8), Some(0..3));
        assert_eq!(ledger.next_span(&BTreeSet::from([0]), 1), Some(1..2));

        ledger.add_block(1, hash(1));
        assert_eq!(ledger.wanted_from(1), 5 * MIB);
        assert!(ledger.has(4 * MIB..5 * MIB) && !ledger.has(4 * MIB..5 * MIB + 1) && !ledger.has(0..1));
        assert_eq!(ledger.next_span(&BTreeSet::new(), 8), Some(0..1), "up to one that has begun");
        assert!(ledger.add_chunk(2, hash(2)) && ledger.add_chunk(0, hash(0)));
        assert_eq!(ledger.stored_bytes(), 7 * MIB + 5);
        assert!(ledger.has(0..5 * MIB) && ledger.has(8 * MIB..10 * MIB + 5) && !ledger.has(7 * MIB..9 * MIB));
        assert_eq!(ledger.next_span(&BTreeSet::new(), 8), Some(1..2));
        assert!(!ledger.all_whole());
        ledger.add_chunk(1, hash(1));
        assert!(ledger.all_whole());
        assert_eq!(ledger.next_span(&BTreeSet::new(), 8), None);
    }

    #[test]
    fn a_damaged_chunk_must_become_what_it_was() {
        let mut ledger = Ledger::new(Some(8 * MIB));
        ledger.add_chunk(0, hash(1));
        ledger.add_chunk(1, hash(2));
        ledger.judge(1, hash(3), false);
        assert!(ledger.all_whole(), "it is another chunk by now");
        ledger.judge(1, hash(2), false);
        assert_eq!(ledger.next_span(&BTreeSet::new(), 8), Some(1..2));
        ledger.add_block(1, hash(9));
        assert_eq!((ledger.wanted_from(1), ledger.hash(1)), (4 * MIB, Some(hash(2))));
        assert!(!ledger.add_chunk(1, hash(3)));
        assert!(ledger.add_chunk(1, hash(2)) && ledger.all_whole());
    }

    #[test]
    fn what_was_cut_off_is_damaged() {
        let mut ledger = Ledger::new(Some(9 * MIB));
        (0..3).for_each(|chunk| assert!(ledger.add_chunk(chunk, hash(chunk as u8))));
        ledger.cut(9 * MIB);
        assert!(ledger.all_whole());
        ledger.cut(9 * MIB - 1);
        assert_eq!(ledger.next_span(&BTreeSet::new(), 8), Some(2..3));
        ledger.cut(0);
        assert_eq!((ledger.stored_bytes(), ledger.hash(0)), (0, Some(hash(0))));
    }

    #[test]
    fn an_absurd_length_is_refused() {
        let mut ledger = Ledger::new(None);
        assert!(!ledger.learn_len(1 << 54) && !ledger.learn_len(u64::MAX) && ledger.len_bytes().is_none());
        assert!(!Ledger::new(Some(1 << 54)).is_sound() && !Ledger::new(Some(1 << 54)).all_whole());
        assert!(ledger.learn_len(LEN_BYTES_MAX) && ledger.is_sound());
        let mut behind = Ledger::new(Some(5));
        behind.add_chunk(1, hash(1));
        assert!(!behind.is_sound());
    }

    #[test]
    fn it_survives_being_written() {
        let mut ledger = Ledger::new(Some(5));
        ledger.add_chunk(0, hash(7));
        assert_eq!((ledger.next_to_hash(), ledger.sha256()), (Some(0), None));
        ledger.hash_on(b"hello");
        let text = serde_json::to_string(&ledger).unwrap();
        let again: Ledger = serde_json::from_str(&text).unwrap();
        assert_eq!((again.next_to_hash(), again.hash(0), again.len_bytes()), (None, Some(hash(7)), Some(5)));
        let sha256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
        assert_eq!(again.sha256().unwrap().to_string(), sha256);
        assert_eq!(Ledger::new(Some(0)).sha256().map(|_| ()), Some(()));
    }
}
