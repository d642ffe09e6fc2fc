//! Chunks are compared with their hashes as they are read: the browser hashes one while the device takes it, and what uses them
//! waits for the last verdict.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::Incoming;
use super::verdicts::Verdicts;
use crate::error::WorkerError;
use crate::hash::digest_beside;
use crate::store::{CHUNK_BYTES, Record, by_chunk};
use crate::ticket::Ticket;

/// Chunks whose hashes the browser may be computing: it has a copy of each.
const BESIDE_MAX: usize = 4;

impl Incoming {
    /// Reads bytes that are there. They may be wrong until [`Self::settle`] says no.
    pub(super) async fn read_checked(&self, offset_bytes: u64, into: &mut [u8]) -> Result<(), WorkerError> {
        for (at_bytes, part) in by_chunk(offset_bytes, into) {
            let chunk = (at_bytes / CHUNK_BYTES) as usize;
            let is_last = self.checking.last.borrow().as_ref().is_some_and(|(last, _)| *last == chunk);
            if !is_last && !self.begin_check(chunk).await? {
                self.file.read_at(at_bytes, part).await?;
                continue;
            }
            let begin = (at_bytes % CHUNK_BYTES) as usize;
            let last = self.checking.last.borrow();
            let bytes = last.as_ref().and_then(|(_, bytes)| bytes.get(begin..begin + part.len()));
            let missing = || WorkerError::FileUnreadable { why: format!("no bytes at {at_bytes}") };
            part.copy_from_slice(bytes.ok_or_else(missing)?);
        }
        Ok(())
    }

    /// Reads a whole chunk and begins to compare it. False where that was done, or it is still arriving.
    async fn begin_check(&self, chunk: usize) -> Result<bool, WorkerError> {
        let noted = self.with(|Record { ledger, .. }| ledger.hash(chunk).filter(|_| ledger.is_whole(chunk)));
        let Some(noted) = noted.filter(|_| !self.checking.begun.borrow().contains(&chunk)) else {
            return Ok(false);
        };
        let Verdicts { open, changed, .. } = &*self.checking.verdicts;
        changed.wait(|| (open.get() < BESIDE_MAX).then_some(())).await;
        let range = self.with(|record| record.ledger.range(chunk));
        let mut bytes = self.checking.last.take().map(|(_, bytes)| bytes).unwrap_or_default();
        bytes.resize((range.end - range.start) as usize, 0);
        match self.file.read_at(range.start, &mut bytes).await {
            // It is shorter than it was.
            Err(WorkerError::FileUnreadable { .. }) => {
                self.checking.verdicts.is_damaged.set(true);
                return Err(self.damaged());
            }
            read => read?,
        }
        self.checking.begun.borrow_mut().insert(chunk);
        open.set(open.get() + 1);
        let (found, verdicts) = (digest_beside(&bytes), Rc::clone(&self.checking.verdicts));
        spawn_local(async move {
            if found.await != Some(noted) {
                verdicts.is_damaged.set(true);
            }
            verdicts.open.set(verdicts.open.get() - 1);
            verdicts.changed.notify();
        });
        self.checking.last.replace(Some((chunk, bytes)));
        Ok(true)
    }

    fn damaged(&self) -> WorkerError {
        let name = self.with(|record| record.name.clone());
        WorkerError::Damaged { name, why: "its bytes are not those that were stored".into() }
    }

    /// Waits until everything that was read is compared. What is damaged is noted, so that the next request fetches it again.
    ///
    /// # Errors
    /// `Damaged`; `Storage`, `Cancelled`.
    pub async fn settle(&self, ticket: &Ticket) -> Result<(), WorkerError> {
        let Verdicts { open, is_damaged, changed } = &*self.checking.verdicts;
        changed.wait(|| (open.get() == 0).then_some(())).await;
        if !is_damaged.get() {
            return Ok(());
        }
        self.find_damage(ticket).await?;
        Err(self.damaged())
    }
}
