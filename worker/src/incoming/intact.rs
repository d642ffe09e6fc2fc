//! Whether stored bytes are still those whose hashes were noted.

use super::Incoming;
use crate::error::WorkerError;
use crate::hash::digest;
use crate::protocol::{Damage, Stage};
use crate::store::{BLOCK_BYTES, Record};
use crate::ticket::Ticket;

impl Incoming {
    /// Forgets blocks that are not on the disk as they were noted.
    pub(super) async fn check_open_blocks(&self) {
        let count = self.with(|record| record.ledger.known());
        let mut block = vec![0; BLOCK_BYTES as usize];
        for chunk in 0..count {
            let (start, hashes) = self
                .with(|record| (record.ledger.range(chunk).start, record.ledger.open_blocks(chunk).to_vec()));
            for (at, hash) in hashes.iter().enumerate() {
                let read = self.file.read_at(start + at as u64 * BLOCK_BYTES, &mut block).await;
                if read.is_err() || digest(&block).await != *hash {
                    self.with(|record| record.ledger.keep_blocks(chunk, at));
                    break;
                }
            }
        }
    }

    /// That it cannot be read now does not mean that it is damaged.
    async fn is_intact(&self, chunk: usize) -> Result<bool, WorkerError> {
        let noted = self.with(|record| record.ledger.hash(chunk));
        match self.hash_of_stored(chunk).await {
            Ok(found) => Ok(Some(found) == noted),
            // It is shorter than it was.
            Err(WorkerError::FileUnreadable { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Compares every chunk that is there with its hash, and notes those that are not as they were.
    ///
    /// # Errors
    /// `Storage`, `Cancelled`.
    pub async fn find_damage(&self, ticket: &Ticket) -> Result<Vec<Damage>, WorkerError> {
        let (name, count) = self.with(|record| (record.name.clone(), record.ledger.known()));
        let total = self.len_bytes().unwrap_or_default();
        let (mut damage, mut judged) = (Vec::new(), Vec::new());
        for chunk in 0..count {
            let range = self.with(|record| record.ledger.range(chunk));
            if let Some(hash) = self.with(|record| record.ledger.hash(chunk)) {
                let intact = self.is_intact(chunk).await?;
                judged.push((chunk, hash, intact));
                if !intact {
                    let (offset_bytes, len_bytes) = (range.start, range.end - range.start);
                    damage.push(Damage { file: name.clone(), offset_bytes, len_bytes });
                }
            }
            ticket.progress(Stage::Verify, range.end, total);
            ticket.checkpoint().await?;
        }
        let judge = |mut record: Record| {
            judged.iter().for_each(|(chunk, hash, intact)| record.ledger.judge(*chunk, *hash, *intact));
            record
        };
        // What goes on to arrive writes its own record.
        self.with(|record| *record = judge(record.clone()));
        self.shelf.catalogue.update(&name, true, |record| record.map(judge)).await?;
        Ok(damage)
    }
}
