//! How keys and values of a layer lie in its pools. A pool holds cells, one per position and key head: first the code
//! words of all cells, then their scale words. A cell's words belong to it alone, so that heads are written at the same
//! time without care for each other.

use std::ops::Range;

use super::{BufferId, PAGE_TOKENS};

/// How the values of the KV cache are stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum CacheFormat {
    /// As computed.
    #[default]
    F32,
    /// Halves, two a word.
    F16,
    /// Blocks of 32 bytes with a scale each, as the weight format of this name.
    Q8_0,
    /// Blocks of 32 nibbles with a scale each, as the weight format of this name.
    Q4_0,
}

/// Values that share a scale, in the formats that have scales.
pub const CACHE_BLOCK: usize = 32;

impl CacheFormat {
    /// All of them.
    pub const ALL: [CacheFormat; 4] =
        [CacheFormat::F32, CacheFormat::F16, CacheFormat::Q8_0, CacheFormat::Q4_0];

    /// As llama.cpp's options call it.
    pub fn name(self) -> &'static str {
        match self {
            CacheFormat::F32 => "f32",
            CacheFormat::F16 => "f16",
            CacheFormat::Q8_0 => "q8_0",
            CacheFormat::Q4_0 => "q4_0",
        }
    }

    /// Values in a code word.
    pub fn values_per_word(self) -> usize {
        match self {
            CacheFormat::F32 => 1,
            CacheFormat::F16 => 2,
            CacheFormat::Q8_0 => 4,
            CacheFormat::Q4_0 => 8,
        }
    }

    /// Code words of a head of `head_len` values.
    pub fn code_words(self, head_len: usize) -> usize {
        head_len.div_ceil(self.values_per_word())
    }

    /// Scale words of a head of `head_len` values: halves, two a word.
    pub fn scale_words(self, head_len: usize) -> usize {
        match self {
            CacheFormat::F32 | CacheFormat::F16 => 0,
            CacheFormat::Q8_0 | CacheFormat::Q4_0 => head_len.div_ceil(CACHE_BLOCK).div_ceil(2),
        }
    }
}

/// The pools of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kv {
    /// Keys.
    pub keys: BufferId,
    /// Values.
    pub values: BufferId,
    /// Of both.
    pub format: CacheFormat,
    /// Physical pages.
    pub pages: usize,
    /// Key heads.
    pub heads: usize,
    /// Values per head.
    pub head_len: usize,
    /// Whether words are written four at a time: those of a place are then a multiple of four.
    pub in_fours: bool,
}

impl Kv {
    /// First code word and first scale word of the head `head` at `place` (physical page * PAGE_TOKENS + place in it).
    pub fn cell(&self, place: usize, head: usize) -> (usize, usize) {
        let scales =
            self.first_scale() + place * self.scale_words() + head * self.format.scale_words(self.head_len);
        ((place * self.cells() + head) * self.format.code_words(self.head_len), scales)
    }

    /// Cells of a place: one for every key head.
    pub fn cells(&self) -> usize {
        let words = self.format.code_words(self.head_len);
        let fits = |cells: &usize| !self.in_fours || (cells * words).is_multiple_of(4);
        (self.heads..).find(fits).unwrap_or(self.heads)
    }

    /// Scale words of a place.
    pub fn scale_words(&self) -> usize {
        let words = self.heads * self.format.scale_words(self.head_len);
        if self.in_fours { words.next_multiple_of(4) } else { words }
    }

    /// Where a physical page lies in a pool: its code words, then its scale words.
    pub fn page(&self, page: usize) -> [Range<usize>; 2] {
        let (codes, scales) = (
            PAGE_TOKENS * self.cells() * self.format.code_words(self.head_len),
            PAGE_TOKENS * self.scale_words(),
        );
        let first_scale = self.first_scale() + page * scales;
        [page * codes..(page + 1) * codes, first_scale..first_scale + scales]
    }

    fn places(&self) -> usize {
        self.pages * PAGE_TOKENS
    }

    /// Where the scale words begin.
    pub fn first_scale(&self) -> usize {
        self.places() * self.cells() * self.format.code_words(self.head_len)
    }

    /// Words of a pool; where they cannot be counted, as many as can.
    pub fn words(&self) -> usize {
        let of_place = self.cells() * self.format.code_words(self.head_len) + self.scale_words();
        self.places().saturating_mul(of_place)
    }
}
