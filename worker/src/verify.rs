//! Compares stored files with the hashes that were taken when they arrived, and fetches again what has changed.

use crate::error::WorkerError;
use crate::incoming::Incoming;
use crate::origin::Origin;
use crate::protocol::{ModelSource, Outcome};
use crate::store::shelf;
use crate::ticket::Ticket;

/// Reads the stored model called `name` whole. What is damaged is noted: the next load or download mends it.
///
/// # Errors
/// `NotStored`, `InUse`, `Storage`, `Cancelled`; of a repair those of a download, `Damaged` where nobody knows where to fetch it,
/// `SourceChanged` where the server has another file by now.
pub async fn verify(name: &str, repair: bool, ticket: &Ticket) -> Result<Outcome, WorkerError> {
    let shelf = shelf().await?;
    let mut damaged = Vec::new();
    for record in shelf.files(name).await? {
        let _lock = shelf.lock(&record.name).await?;
        damaged.extend(Incoming::open(&shelf, record).await?.find_damage(ticket).await?);
    }
    let mut repaired_bytes = 0;
    if repair && !damaged.is_empty() {
        let source = ModelSource::Stored { name: name.into() };
        Origin::find(&source, Vec::new(), ticket).await?.open(ticket).await?.arrive(ticket).await?;
        repaired_bytes = damaged.drain(..).map(|damage| damage.len_bytes).sum();
    }
    Ok(Outcome::Verified { damaged, repaired_bytes })
}
