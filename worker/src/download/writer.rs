//! Gathers bytes until the store takes them.

use js_sys::Uint8Array;

use crate::error::WorkerError;
use crate::incoming::Incoming;

/// Bytes of a file in order, from somewhere on.
pub struct Writer<'a> {
    incoming: &'a Incoming,
    /// Place of the first byte that is held.
    at_bytes: u64,
    held: Vec<u8>,
}

impl<'a> Writer<'a> {
    /// Goes on at `at_bytes`, where the store's last write ended.
    pub fn new(incoming: &'a Incoming, at_bytes: u64) -> Self {
        Writer { incoming, at_bytes, held: Vec::with_capacity(incoming.write_bytes() as usize) }
    }

    /// Place of the next byte.
    pub fn position(&self) -> u64 {
        self.at_bytes + self.held.len() as u64
    }

    /// Bytes that are held.
    pub fn held_bytes(&self) -> u64 {
        self.held.len() as u64
    }

    /// Takes the file's next bytes.
    ///
    /// # Errors
    /// Those of [`Incoming::write`].
    pub async fn push(&mut self, bytes: &Uint8Array) -> Result<(), WorkerError> {
        let mut at = 0;
        while at < bytes.length() {
            let unit = self.incoming.write_bytes();
            let full = (self.at_bytes / unit + 1) * unit;
            let full = self.incoming.len_bytes().map_or(full, |len_bytes| full.min(len_bytes));
            let room = full.saturating_sub(self.position());
            if room == 0 {
                // More than the file has.
                return Ok(());
            }
            let take = room.min(u64::from(bytes.length() - at)) as u32;
            let from = self.held.len();
            self.held.resize(from + take as usize, 0);
            if let Some(place) = self.held.get_mut(from..) {
                bytes.subarray(at, at + take).copy_to(place);
            }
            at += take;
            if u64::from(take) == room {
                self.write().await?;
            }
        }
        Ok(())
    }

    /// Writes what is held, at the end of the file.
    ///
    /// # Errors
    /// Those of [`Incoming::write`].
    pub async fn finish(&mut self) -> Result<(), WorkerError> {
        if !self.held.is_empty() {
            self.write().await?;
        }
        self.incoming.close().await
    }

    async fn write(&mut self) -> Result<(), WorkerError> {
        self.incoming.write(self.at_bytes, &self.held).await?;
        self.at_bytes += self.held.len() as u64;
        self.held.clear();
        Ok(())
    }
}
