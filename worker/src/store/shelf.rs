//! The store that is in use, with its catalogue.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::StorageEstimate;

use super::indexed_db::IndexedDb;
use super::memory::Memory;
use super::opfs::Opfs;
use super::{Catalogue, Record, Store, could_delete, models_of, names_of_model};
use crate::browser::{Lock, scope, settle};
use crate::error::WorkerError;
use crate::protocol::{StoreInfo, StoreKind, StoredModel};

/// Files and what is known of them.
pub struct Shelf {
    /// The files.
    pub store: Box<dyn Store>,
    /// What is known of them.
    pub catalogue: Catalogue,
    /// A number of its own for a store that other workers do not see, else 0.
    whose: f64,
}

thread_local! {
    static WANTED: Cell<StoreKind> = const { Cell::new(StoreKind::Auto) };
    static SHELF: RefCell<Option<Rc<Shelf>>> = const { RefCell::new(None) };
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
    if let Some(shelf) = SHELF.with_borrow(Clone::clone) {
        return Ok(shelf);
    }
    let store: Box<dyn Store> = match WANTED.get() {
        StoreKind::Opfs => Box::new(Opfs::new().await?),
        StoreKind::IndexedDb => Box::new(IndexedDb::new().await?),
        StoreKind::Memory => Box::new(Memory::default()),
        StoreKind::Auto => match Opfs::new().await {
            Ok(opfs) => Box::new(opfs),
            Err(_) => match IndexedDb::new().await {
                Ok(database) => Box::new(database),
                Err(_) => Box::new(Memory::default()),
            },
        },
    };
    let lasting = store.kind() != StoreKind::Memory;
    let whose = if lasting { 0.0 } else { js_sys::Math::random() };
    let shelf = Rc::new(Shelf { store, catalogue: Catalogue::open(lasting).await, whose });
    // Whoever asked at the same time may have been faster, and has the files of the store in memory.
    let shelf = SHELF.with_borrow_mut(|known| Rc::clone(known.get_or_insert(shelf)));
    shelf.sweep().await;
    Ok(shelf)
}

impl Shelf {
    /// Removes files that no record is of: a record is written before its file, and removed behind it.
    async fn sweep(&self) {
        let Ok(names) = self.store.names().await else { return };
        let Ok(records) = self.records().await else { return };
        for name in names {
            if !records.iter().any(|record| record.name == name) {
                // One that cannot be removed now is removed at a later start.
                let _ = self.store.delete(&name).await;
            }
        }
    }

    async fn records(&self) -> Result<Vec<Record>, WorkerError> {
        let mut records = self.catalogue.all().await?;
        records.retain(|record| record.store == self.store.kind());
        Ok(records)
    }

    /// The record of a file of this store.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn record(&self, name: &str) -> Result<Option<Record>, WorkerError> {
        Ok(self.catalogue.get(name).await?.filter(|record| record.store == self.store.kind()))
    }

    /// The models, whole or not, by name.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn models(&self) -> Result<Vec<StoredModel>, WorkerError> {
        Ok(models_of(self.records().await?))
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
    /// `NotStored` where none of its files is, `Storage`; also while another request or tab writes it.
    pub async fn delete(&self, name: &str) -> Result<(), WorkerError> {
        let mut result = Err(WorkerError::NotStored { name: name.into() });
        for file in names_of_model(name) {
            if self.record(&file).await?.is_none() {
                continue;
            }
            let _lock = self.lock(&file).await?;
            self.delete_file(&file).await?;
            result = Ok(());
        }
        result
    }

    /// Removes a file. The caller has its lock.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn delete_file(&self, name: &str) -> Result<(), WorkerError> {
        match self.store.delete(name).await {
            Ok(()) | Err(WorkerError::NotStored { .. }) => self.catalogue.delete(name).await,
            Err(error) => Err(error),
        }
    }

    /// What keeps two requests or tabs from writing the same file; `None` while another has it.
    pub async fn try_lock(&self, name: &str) -> Option<Lock> {
        Lock::try_take(&format!("{:?} {} {name}", self.store.kind(), self.whose)).await
    }

    /// The same for a request that does not wait.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn lock(&self, name: &str) -> Result<Lock, WorkerError> {
        let busy = || WorkerError::Storage { name: name.into(), why: "it is being written".into() };
        self.try_lock(name).await.ok_or_else(busy)
    }

    /// Changes what is known of a model's files.
    ///
    /// # Errors
    /// `NotStored`, `Storage`.
    pub async fn note(&self, name: &str, change: impl Fn(&mut Record)) -> Result<(), WorkerError> {
        for mut record in self.files(name).await? {
            change(&mut record);
            self.catalogue.put(&record).await?;
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

    /// Which store it is, and how full.
    pub async fn info(&self) -> StoreInfo {
        let storage = scope().navigator().storage();
        let estimate = match storage.estimate() {
            Ok(promise) => settle::<js_sys::Object>(promise).await.ok(),
            Err(_) => None,
        };
        let estimate: Option<StorageEstimate> = estimate.map(JsCast::unchecked_into);
        let used = estimate.as_ref().and_then(StorageEstimate::get_usage);
        let quota = estimate.as_ref().and_then(StorageEstimate::get_quota);
        let persisted = match storage.persisted() {
            Ok(promise) => settle::<js_sys::Boolean>(promise).await.is_ok_and(|yes| yes.value_of()),
            Err(_) => false,
        };
        StoreInfo {
            kind: self.store.kind(),
            used_bytes: used.map(|bytes| bytes as u64),
            free_bytes: quota.zip(used).map(|(quota, used)| (quota - used).max(0.0) as u64),
            persisted,
        }
    }
}
