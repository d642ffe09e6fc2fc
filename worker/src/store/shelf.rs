//! The store that is in use, with its catalogue.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures_util::lock::Mutex;
use wasm_bindgen::JsCast;
use web_sys::{StorageEstimate, StorageManager};

use super::indexed_db::IndexedDb;
use super::memory::Memory;
use super::opfs::Opfs;
use super::{
    Catalogue, Entry, Record, Store, Unreadable, could_delete, models_of, names_by_hash, names_of_model,
};
use crate::browser::{Lock, settle, storage};
use crate::error::WorkerError;
use crate::hash::Hash;
use crate::protocol::{StoreInfo, StoreKind, StoredModel, UnknownFile};

/// Files and what is known of them.
pub struct Shelf {
    /// The files.
    pub store: Rc<dyn Store>,
    /// What is known of them.
    pub catalogue: Catalogue,
    /// A number of its own for a store that other workers do not see, else 0.
    whose: f64,
}

thread_local! {
    static WANTED: Cell<StoreKind> = const { Cell::new(StoreKind::Auto) };
    static SHELF: RefCell<Option<Rc<Shelf>>> = const { RefCell::new(None) };
    /// Held while the store is opened: nobody uses it before it is recovered.
    static OPENING: Rc<Mutex<()>> = Rc::default();
}

/// Takes another store from now on.
pub fn choose_store(kind: StoreKind) {
    if WANTED.replace(kind) != kind {
        SHELF.take();
    }
}

/// The store in use, opened at first use.
///
/// # Errors
/// `StorageUnavailable` where one was chosen that is not there.
pub async fn shelf() -> Result<Rc<Shelf>, WorkerError> {
    let opening = OPENING.with(Rc::clone);
    let _opening = opening.lock().await;
    loop {
        if let Some(shelf) = SHELF.with_borrow(Clone::clone) {
            return Ok(shelf);
        }
        let wanted = WANTED.get();
        let shelf = Rc::new(Shelf::open(wanted).await?);
        // What fails now is done at a later start.
        let _ = shelf.recover().await;
        if WANTED.get() == wanted {
            SHELF.replace(Some(shelf));
        }
    }
}

impl Shelf {
    async fn open(kind: StoreKind) -> Result<Shelf, WorkerError> {
        let store: Rc<dyn Store> = match kind {
            StoreKind::Opfs => Rc::new(Opfs::new().await?),
            StoreKind::IndexedDb => Rc::new(IndexedDb::new().await?),
            StoreKind::Memory => Rc::new(Memory::default()),
            StoreKind::Auto => match Opfs::new().await {
                Ok(opfs) => Rc::new(opfs),
                Err(_) => match IndexedDb::new().await {
                    Ok(database) => Rc::new(database),
                    Err(_) => Rc::new(Memory::default()),
                },
            },
        };
        let lasting = store.kind() != StoreKind::Memory;
        let whose = if lasting { 0.0 } else { js_sys::Math::random() };
        let catalogue = Catalogue::open(Rc::clone(&store)).await;
        Ok(Shelf { store, catalogue, whose })
    }

    /// Rebuilds what the catalogue lacks from the copies beside the files, and ends deletions that were begun. A file
    /// without any readable record stays.
    async fn recover(&self) -> Result<(), WorkerError> {
        let files = self.store.names().await?;
        for name in &files {
            let known = self.catalogue.get(name).await?;
            if matches!(&known, Some(Ok(record)) if record.unwanted) {
                if let Some(_lock) = self.try_lock(name).await {
                    self.delete_file(name).await?;
                }
                continue;
            }
            match (known, self.catalogue.copy(name).await?) {
                (Some(Ok(record)), None | Some(Err(Unreadable::Damaged))) => {
                    self.store.set_copy(name, Some(&record.text())).await?
                }
                (Some(Ok(record)), Some(Ok(copy))) if record.changed_ms >= copy.changed_ms => {}
                (_, Some(Ok(copy))) => self.catalogue.restore(name, copy).await?,
                _ => {}
            }
        }
        for name in self.catalogue.names().await?.into_iter().filter(|name| !files.contains(name)) {
            // A record is written before its file, by whoever has the lock.
            let Some(_lock) = self.try_lock(&name).await else { continue };
            if !self.store.names().await?.contains(&name) {
                self.catalogue.delete(&name).await?;
            }
        }
        Ok(())
    }

    async fn entries(&self) -> Result<Vec<(String, Entry)>, WorkerError> {
        let mut entries = Vec::new();
        for name in self.catalogue.names().await? {
            if let Some(entry) = self.catalogue.get(&name).await? {
                entries.push((name, entry));
            }
        }
        Ok(entries)
    }

    /// The record of a file of this store.
    ///
    /// # Errors
    /// `UnknownFile` where it cannot be read; `Storage`.
    pub async fn record(&self, name: &str) -> Result<Option<Record>, WorkerError> {
        match self.catalogue.get(name).await? {
            Some(Err(why)) => Err(WorkerError::UnknownFile { name: name.into(), why }),
            Some(Ok(record)) => Ok(Some(record).filter(|record| !record.unwanted)),
            None => Ok(None),
        }
    }

    /// The models, whole or not, by name.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn models(&self) -> Result<Vec<StoredModel>, WorkerError> {
        let mut records = Vec::new();
        for (_, entry) in self.entries().await? {
            let Some(mut record) = entry.ok().filter(|record| !record.unwanted) else { continue };
            if record.is_whole() {
                record.ledger.cut(self.there_bytes(&record.name).await);
            }
            records.push(record);
        }
        Ok(models_of(records))
    }

    /// What there may be of a file, at most: all where nobody can say it.
    pub async fn there_bytes(&self, name: &str) -> u64 {
        match self.store.len_bytes(name).await {
            Ok(len_bytes) => len_bytes,
            Err(WorkerError::NotStored { .. }) => 0,
            Err(_) => u64::MAX,
        }
    }

    /// The names of the model whose files have these hashes, or are to have them, whatever their address.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn names_of(&self, hashes: &[Hash]) -> Result<Option<Vec<String>>, WorkerError> {
        let records = self.entries().await?.into_iter().filter_map(|(_, entry)| entry.ok());
        Ok(names_by_hash(&records.filter(|record| !record.unwanted).collect::<Vec<_>>(), hashes))
    }

    /// Files of which nobody knows what they are.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn unknown(&self) -> Result<Vec<UnknownFile>, WorkerError> {
        let entries = self.entries().await?;
        let mut unknown = Vec::new();
        for name in self.store.names().await? {
            let why = match entries.iter().find(|(known, _)| *known == name) {
                Some((_, Ok(_))) => continue,
                Some((_, Err(why))) => *why,
                None => Unreadable::Absent,
            };
            let bytes = self.store.len_bytes(&name).await.unwrap_or_default();
            unknown.push(UnknownFile { name, bytes, why: why.to_string() });
        }
        Ok(unknown)
    }

    /// One model, whichever of its files `name` names.
    ///
    /// # Errors
    /// `NotStored`, `Storage`.
    pub async fn model(&self, name: &str) -> Result<StoredModel, WorkerError> {
        let first = names_of_model(name).into_iter().next().unwrap_or_default();
        let models = self.models().await?;
        let found = models.into_iter().find(|model| model.name == first);
        found.ok_or_else(|| WorkerError::NotStored { name: name.into() })
    }

    /// The records of a model's files, in order.
    ///
    /// # Errors
    /// `NotStored` where one has none, `Storage`.
    pub async fn files(&self, name: &str) -> Result<Vec<Record>, WorkerError> {
        let mut files = Vec::new();
        for name in names_of_model(name) {
            files.push(self.record(&name).await?.ok_or(WorkerError::NotStored { name })?);
        }
        Ok(files)
    }

    /// Removes a model, whichever of its files `name` names.
    ///
    /// # Errors
    /// `NotStored` where none of its files is, `InUse` while another request or tab has it open, `Storage`.
    pub async fn delete(&self, name: &str) -> Result<(), WorkerError> {
        let mut result = Err(WorkerError::NotStored { name: name.into() });
        let files = self.store.names().await?;
        for file in names_of_model(name) {
            if self.catalogue.get(&file).await?.is_none() && !files.contains(&file) {
                continue;
            }
            let _lock = self.lock(&file).await?;
            self.delete_file(&file).await?;
            result = Ok(());
        }
        result
    }

    /// Removes a file. The caller has its lock. Where this is interrupted the next start goes on with it.
    ///
    /// # Errors
    /// `Storage`: then nothing was removed.
    pub async fn delete_file(&self, name: &str) -> Result<(), WorkerError> {
        let mark = async |unwanted| {
            let change = |record: Option<Record>| record.map(|record| Record { unwanted, ..record });
            self.catalogue.update(name, true, change).await
        };
        match mark(true).await {
            // The user wants it to go all the same.
            Ok(_) | Err(WorkerError::UnknownFile { .. }) => {}
            Err(error) => return Err(error),
        }
        match self.store.delete(name).await {
            Ok(()) | Err(WorkerError::NotStored { .. }) => {
                let _ = self.catalogue.delete(name).await;
                Ok(())
            }
            Err(error) => {
                let _ = mark(false).await;
                Err(error)
            }
        }
    }

    /// What keeps two requests or tabs from writing the same file; `None` while another has it.
    pub async fn try_lock(&self, name: &str) -> Option<Lock> {
        Lock::try_take(&format!("{:?} {} {name}", self.store.kind(), self.whose)).await
    }

    /// The same for a request that does not wait.
    ///
    /// # Errors
    /// `InUse`.
    pub async fn lock(&self, name: &str) -> Result<Lock, WorkerError> {
        self.try_lock(name).await.ok_or_else(|| WorkerError::InUse { name: name.into() })
    }

    /// Changes what is known of a model's files.
    ///
    /// # Errors
    /// `NotStored`, `Storage`.
    pub async fn note(&self, name: &str, change: impl Fn(&mut Record)) -> Result<(), WorkerError> {
        let change = |mut record: Record| {
            change(&mut record);
            record
        };
        for Record { name, .. } in self.files(name).await? {
            self.catalogue.update(&name, true, |record| record.map(change)).await?;
        }
        Ok(())
    }

    /// What could be deleted to make room for so many bytes more than are free; never the model called `spare`.
    pub async fn proposal(&self, lacking_bytes: u64, spare: &str) -> Vec<String> {
        let models = self.models().await.unwrap_or_default();
        could_delete(&models, lacking_bytes, &names_of_model(spare))
    }

    /// Says no, and what could be deleted (never the model called `spare`), where so many bytes more do not fit.
    ///
    /// # Errors
    /// `NoRoom`.
    pub async fn expect_room(&self, need_bytes: u64, spare: &str) -> Result<(), WorkerError> {
        let Some(free_bytes) = self.info().await.free_bytes.filter(|free| *free < need_bytes) else {
            return Ok(());
        };
        let could_delete = self.proposal(need_bytes - free_bytes, spare).await;
        Err(WorkerError::NoRoom { need_bytes, free_bytes, could_delete })
    }

    /// Which store it is, and how full. What kept prompts take is not looked at.
    pub async fn info(&self) -> StoreInfo {
        let storage = storage();
        let estimate = match storage.as_ref().map(StorageManager::estimate) {
            Some(Ok(promise)) => settle::<js_sys::Object>(promise).await.ok(),
            _ => None,
        };
        let estimate: Option<StorageEstimate> = estimate.map(JsCast::unchecked_into);
        let used = estimate.as_ref().and_then(StorageEstimate::get_usage);
        let quota = estimate.as_ref().and_then(StorageEstimate::get_quota);
        let persisted = match storage.as_ref().map(StorageManager::persisted) {
            Some(Ok(promise)) => settle::<js_sys::Boolean>(promise).await.is_ok_and(|yes| yes.value_of()),
            _ => false,
        };
        StoreInfo {
            kind: self.store.kind(),
            used_bytes: used.map(|bytes| bytes as u64),
            free_bytes: quota.zip(used).map(|(quota, used)| (quota - used).max(0.0) as u64),
            persisted,
            prompt_bytes: 0,
        }
    }
}
