//! Pages of the KV cache outside of it: what a prompt is made to, so that it need not be read again, in another process either.

use std::ops::Range;

use super::{Model, Sequence};
use crate::plan::{BufferId, PAGE_TOKENS};
use crate::runtime::error::Error;

impl Model {
    /// Tokens of a page.
    pub const PAGE_TOKENS: usize = PAGE_TOKENS;

    /// Bytes of a page, of all layers; 0 where keys and values are not all that the model remembers.
    pub fn page_bytes(&self) -> usize {
        match self.pool.reuses() {
            true => 4 * self.page_ranges(0).map(|(_, range)| range.len()).sum::<usize>(),
            false => 0,
        }
    }

    /// Where the parts of a physical page lie.
    fn page_ranges(&self, page: usize) -> impl Iterator<Item = (BufferId, Range<usize>)> {
        let of = move |buffer, kv: &crate::plan::Kv| kv.page(page).map(|range| (buffer, range));
        let all = self.plan.layout.pools.iter().flat_map(move |kv| [of(kv.keys, kv), of(kv.values, kv)]);
        all.flatten().filter(|(_, range)| !range.is_empty())
    }

    /// The contents of full pages of a sequence, one after the other. They fit the same file on the same kind of device, with
    /// the same [`LoadOptions::cache`](crate::runtime::LoadOptions::cache) and version of the engine.
    ///
    /// # Errors
    /// `BadSlice` for pages that the sequence does not have in full; `Device` where they cannot be read.
    pub async fn read_pages(
        &mut self,
        sequence: &Sequence,
        pages: Range<usize>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let full = sequence.len_tokens / PAGE_TOKENS;
        if pages.end > full || self.page_bytes() == 0 {
            return Err(Error::BadSlice { tokens: pages.end * PAGE_TOKENS, max: full * PAGE_TOKENS });
        }
        out.clear();
        let ranges: Vec<_> =
            sequence.pages[pages].iter().flat_map(|page| self.page_ranges(*page as usize)).collect();
        Ok(self.executor.read_words(&ranges, out).await?)
    }

    /// Appends the tokens `ids` of a page whose contents were read from such a sequence. Others may begin with it from then on.
    ///
    /// # Errors
    /// `BadSlice` for another number of tokens or behind a page that is not full, `WrongTransfer` for another number of bytes,
    /// `UnknownToken`, `ContextFull`, `CacheFull`.
    pub fn restore_page(&mut self, sequence: &mut Sequence, ids: &[u32], bytes: &[u8]) -> Result<(), Error> {
        let len_tokens = sequence.len_tokens + PAGE_TOKENS;
        if ids.len() != PAGE_TOKENS || sequence.trail.len_tokens() + PAGE_TOKENS != len_tokens {
            return Err(Error::BadSlice { tokens: ids.len(), max: PAGE_TOKENS });
        }
        let want_bytes = self.page_bytes();
        if bytes.len() != want_bytes || want_bytes == 0 {
            return Err(Error::WrongTransfer { len_bytes: bytes.len(), want_bytes });
        }
        let vocab = self.info.vocab;
        if let Some(&id) = ids.iter().find(|id| **id as usize >= vocab) {
            return Err(Error::UnknownToken { id, vocab });
        }
        if len_tokens > self.info.context_tokens {
            return Err(Error::ContextFull { context_tokens: self.info.context_tokens });
        }
        self.pool.reserve(&mut sequence.pages, len_tokens)?;
        let page = sequence.pages[len_tokens / PAGE_TOKENS - 1] as usize;
        let ranges: Vec<_> = self.page_ranges(page).collect();
        let mut rest = bytes;
        let mut words: Vec<f32> = Vec::new();
        for (buffer, range) in ranges {
            let (now, later) = rest.split_at(4 * range.len());
            words.clear();
            words.extend(now.as_chunks::<4>().0.iter().map(|word| f32::from_bits(u32::from_le_bytes(*word))));
            self.executor.upload_values(buffer, range.start, &words);
            rest = later;
        }
        sequence.len_tokens = len_tokens;
        sequence.ids.extend_from_slice(ids);
        self.pool.settle(&sequence.pages, &mut sequence.trail, &sequence.ids);
        Ok(())
    }
}
