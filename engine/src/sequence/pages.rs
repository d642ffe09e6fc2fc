//! Pages of the KV cache: which physical page holds which positions of which sequence.

use super::error::Error;
use crate::plan::PAGE_TOKENS;

/// The free pages of a model's KV cache.
#[derive(Debug)]
pub struct PagePool {
    free: Vec<u32>,
    total: usize,
}

impl PagePool {
    pub fn new(total: usize) -> Self {
        PagePool { free: (0..total as u32).rev().collect(), total }
    }

    /// Makes room for `tokens` positions. Takes all or nothing.
    pub fn reserve(&mut self, pages: &mut Vec<u32>, tokens: usize) -> Result<(), Error> {
        let need = tokens.div_ceil(PAGE_TOKENS).saturating_sub(pages.len());
        if need > self.free.len() {
            return Err(Error::CacheFull { pages: self.total });
        }
        pages.extend(self.free.drain(self.free.len() - need..).rev());
        Ok(())
    }

    pub fn release(&mut self, pages: Vec<u32>) {
        self.free.extend(pages.into_iter().rev());
    }
}
