//! Kept pages back into the KV cache.

use pith_engine::runtime::Model;

use super::folder::Folder;
use super::{PAGES_MIN, key_of};
use crate::error::WorkerError;
use crate::residency::Resident;
use crate::ticket::Ticket;

/// Puts what is kept of the beginning of `ids` into the model's KV cache, so far as it is not there. Returns how many tokens that are.
///
/// # Errors
/// `Cancelled`.
pub async fn restore(resident: &mut Resident, ids: &[u32], ticket: &Ticket) -> Result<usize, WorkerError> {
    let (Some(key), Some(folder)) = (key_of(resident), Folder::open(false).await) else { return Ok(0) };
    let kept = folder.kept(&key).await;
    let best = kept.iter().max_by_key(|kept| kept.record.pages_for(&key, ids));
    let Some((kept, pages)) = best.map(|kept| (kept, kept.record.pages_for(&key, ids))) else { return Ok(0) };
    let mut sequence = resident.model.begin_with(ids);
    let begun = sequence.len_tokens();
    if pages < PAGES_MIN || pages * Model::PAGE_TOKENS <= begun {
        resident.model.end(sequence);
        return Ok(0);
    }
    let mut bytes = Vec::new();
    let mut result = Ok(());
    for page in begun / Model::PAGE_TOKENS..pages {
        result = ticket.checkpoint().await;
        let of_page = &ids[page * Model::PAGE_TOKENS..][..Model::PAGE_TOKENS];
        if result.is_err() || kept.page(page, &mut bytes).await.is_none() {
            break;
        }
        if resident.model.restore_page(&mut sequence, of_page, &bytes).is_err() {
            // The cache is full: what is there is of use all the same.
            break;
        }
    }
    let restored = sequence.len_tokens() - begun;
    resident.model.end(sequence);
    // Afterwards: a file that has changed cannot be read any more.
    folder.touch(kept).await;
    result.map(|()| restored)
}
