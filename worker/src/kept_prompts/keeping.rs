//! A prompt on its way to the disk, a few pages at a time: whatever else the worker is asked comes first.

use pith_engine::runtime::Model;

use super::folder::Folder;
use super::record::{Key, LEN_BYTES, Record, is_worth_keeping};
use super::{PAGES_MIN, key_of};
use crate::browser::random;
use crate::hash::digest;
use crate::residency::{Residency, Resident};
use crate::store::Handle;

/// Read back from the device at once.
const STEP_BYTES: usize = 4 << 20;

/// Keeps prompts, one after the other.
#[derive(Default)]
pub struct Keeper(Option<Keeping>);

/// A prompt that is to be kept.
struct Keeping {
    /// The model that has read it without an adapter, and which of all that were loaded it is.
    model: String,
    epoch: u32,
    ids: Vec<u32>,
    writing: Option<Writing>,
}

/// Its file.
struct Writing {
    folder: Folder,
    name: String,
    file: Handle,
    record: Record,
    record_bytes: usize,
    /// Pages that are written.
    done: usize,
}

impl Keeper {
    /// Does the next piece of work. False where there is none.
    pub async fn step(&mut self, residency: &mut Residency) -> bool {
        if let Some(mut keeping) = self.0.take() {
            if keeping.step(residency).await {
                self.0 = Some(keeping);
            }
            return true;
        }
        let next = residency.next_to_keep();
        self.0 = next.map(|(model, epoch, ids)| Keeping { model, epoch, ids, writing: None });
        self.0.is_some()
    }
}

impl Keeping {
    /// False where there is no more to do: it is kept, not worth it, or cannot be.
    async fn step(&mut self, residency: &mut Residency) -> bool {
        let resident = residency.resident(&self.model).ok();
        let resident = resident.filter(|resident| resident.epoch == self.epoch && !resident.is_lost());
        let resident = resident.and_then(|resident| resident.use_lora(None).map(|()| resident).ok());
        let end = match (resident, &mut self.writing) {
            (Some(resident), None) => {
                self.writing = begin(resident, &self.ids).await;
                return self.writing.is_some();
            }
            (Some(resident), Some(writing)) => writing.pages(resident).await,
            (None, _) => None,
        };
        if end == Some(true) {
            return true;
        }
        if let Some(writing) = self.writing.take() {
            writing.close(end.is_some()).await;
        }
        false
    }
}

/// Makes the file, where it is worth it and there is room.
async fn begin(resident: &mut Resident, ids: &[u32]) -> Option<Writing> {
    let pages = ids.len() / Model::PAGE_TOKENS;
    if pages < PAGES_MIN {
        return None;
    }
    let key = key_of(resident)?;
    let folder = Folder::open(true).await?;
    let known = folder.kept(&key).await;
    let most = known.iter().map(|kept| kept.record.pages_for(&key, ids)).max().unwrap_or_default();
    if !is_worth_keeping(pages, most) {
        return None;
    }
    let name = format!("{}-{:013x}", Key::prefix(&key.model), (random() * (1u64 << 52) as f64) as u64);
    let record = Record::new(key, ids, resident.model.page_bytes() as u64);
    let record_bytes = record.text().len();
    if !folder.make_room(record.page_at(record_bytes, record.hashes.len())).await {
        return None;
    }
    let file = folder.write(&name).await?;
    // Without a length nobody takes it for a record yet.
    file.write_at(0, &[0; LEN_BYTES as usize])?;
    Some(Writing { folder, name, file, record, record_bytes, done: 0 })
}

impl Writing {
    /// Writes the next pages, and the record behind the last of them. Whether there are more; `None` where it cannot go on.
    async fn pages(&mut self, resident: &mut Resident) -> Option<bool> {
        let (all, page_bytes) = (self.record.hashes.len(), resident.model.page_bytes());
        let next = (self.done + (STEP_BYTES / page_bytes).max(1)).min(all);
        // With a token behind them, or the last page would have to run.
        let with_more: Vec<u32> = self.record.ids.iter().copied().chain([0]).collect();
        let sequence = resident.model.begin_with(&with_more);
        let mut bytes = Vec::new();
        let read = resident.model.read_pages(&sequence, self.done..next, &mut bytes).await;
        resident.model.end(sequence);
        // They were overwritten meanwhile, or the device is gone.
        read.ok()?;
        self.file.write_at(self.record.page_at(self.record_bytes, self.done), &bytes)?;
        for (at, page) in bytes.chunks(page_bytes).enumerate() {
            *self.record.hashes.get_mut(self.done + at)? = digest(page).await;
        }
        self.done = next;
        if next < all {
            return Some(true);
        }
        self.file.write_at(LEN_BYTES, self.record.text().as_bytes())?;
        self.file.0.flush().ok()?;
        self.file.write_at(0, &(self.record_bytes as u32).to_le_bytes())?;
        self.file.0.flush().ok()?;
        Some(false)
    }

    /// Leaves the file as it is, instead of those that have nothing besides, or deletes it.
    async fn close(self, is_kept: bool) {
        let Writing { folder, name, file, record, .. } = self;
        drop(file);
        if !is_kept {
            return folder.delete(&name).await;
        }
        for other in folder.kept(&record.key).await {
            if other.name != name && other.record.is_part_of(&record.key, &record.ids) {
                folder.delete(&other.name).await;
            }
        }
    }
}
