//! The records of all files, in IndexedDB, and a copy of each beside its file. Where the database cannot be opened the
//! copies alone serve.

use std::rc::Rc;

use futures_util::lock::Mutex;
use js_sys::Array;
use wasm_bindgen::JsValue;

use super::{Record, Store, Unreadable, failed};
use crate::browser::{Database, Exception, since_1970_ms};
use crate::error::WorkerError;
use crate::protocol::StoreKind;

const FILES: &str = "files";

/// The table of the store in IndexedDB.
pub const CHUNKS: &str = "chunks";

/// The worker's database.
///
/// # Errors
/// `StorageUnavailable`.
pub async fn database() -> Result<Database, WorkerError> {
    let opened = Database::open("pith", &[FILES, CHUNKS]).await;
    opened.map_err(|error| WorkerError::StorageUnavailable { why: error.to_string() })
}

/// What an error of the database means.
pub fn broken(name: &str, error: Exception) -> WorkerError {
    match error.name.as_str() {
        // It is a table that is not found, not the file.
        "NotFoundError" => WorkerError::Storage { name: name.into(), why: error.to_string() },
        _ => failed(name, error),
    }
}

/// Where the database has the record of a file. Two stores can have files of one name.
fn key(name: &str, store: StoreKind) -> JsValue {
    match store {
        StoreKind::IndexedDb => Array::of2(&name.into(), &"indexedDb".into()).into(),
        _ => name.into(),
    }
}

/// Moves records that the first release wrote: it had those of both stores under the same keys.
async fn part(database: &Database) -> Result<(), Exception> {
    let keys = database.read(FILES, |files| files.get_all_keys()).await?;
    for name in Array::from(&keys).iter().filter_map(|key| key.as_string()) {
        let value = database.read(FILES, |files| files.get(&name.as_str().into())).await?;
        let text = value.as_string().unwrap_or_default();
        if Record::read(&text, &name, StoreKind::Opfs).is_ok_and(|old| old.store == StoreKind::IndexedDb) {
            let key = key(&name, StoreKind::IndexedDb);
            database.update(FILES, &key, |known| known.is_undefined().then_some(value)).await?;
            database.write(FILES, |files| files.delete(&name.as_str().into())).await?;
        }
    }
    Ok(())
}

/// What the catalogue has of a file.
pub type Entry = Result<Record, Unreadable>;

/// Records by the names of their files.
pub struct Catalogue {
    database: Option<Database>,
    store: Rc<dyn Store>,
    /// One change at a time where there is no database to see to that.
    turn: Mutex<()>,
}

impl Catalogue {
    /// Of the files of a store.
    pub async fn open(store: Rc<dyn Store>) -> Catalogue {
        let lasting = store.kind() != StoreKind::Memory;
        let database = if lasting { database().await.ok() } else { None };
        if let Some(database) = &database {
            // What fails now is done at a later start.
            let _ = part(database).await;
        }
        Catalogue { database, store, turn: Mutex::default() }
    }

    fn key(&self, name: &str) -> JsValue {
        key(name, self.store.kind())
    }

    fn read(&self, name: &str, text: Option<String>) -> Entry {
        text.map_or(Err(Unreadable::Damaged), |text| Record::read(&text, name, self.store.kind()))
    }

    /// The record of a file.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn get(&self, name: &str) -> Result<Option<Entry>, WorkerError> {
        let Some(database) = &self.database else {
            // Not while it is written.
            let _turn = self.turn.lock().await;
            return self.copy(name).await;
        };
        let value = database.read(FILES, |files| files.get(&self.key(name))).await;
        let value = value.map_err(|error| broken(name, error))?;
        let there = !value.is_undefined();
        Ok(there.then(|| self.read(name, value.as_string())))
    }

    /// The copy of a record that lies beside the file.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn copy(&self, name: &str) -> Result<Option<Entry>, WorkerError> {
        let text = self.store.copy(name).await?;
        Ok(text.map(|text| self.read(name, Some(text))))
    }

    /// The names of all files that have a record.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn names(&self) -> Result<Vec<String>, WorkerError> {
        let Some(database) = &self.database else { return self.store.names().await };
        let keys = database.read(FILES, |files| files.get_all_keys()).await;
        let keys = keys.map_err(|error| broken("the catalogue", error))?;
        let name = |key: JsValue| key.as_string().or_else(|| Array::from(&key).get(0).as_string());
        let ours = |key: &JsValue| key.is_string() != (self.store.kind() == StoreKind::IndexedDb);
        Ok(Array::from(&keys).iter().filter(ours).filter_map(name).collect())
    }

    /// Replaces a record by what `change` makes of it, in one transaction, and gives what is there then. Where `change`
    /// gives nothing the record stays as it is. The copy beside the file follows if `copied`.
    ///
    /// # Errors
    /// `UnknownFile` where the record cannot be read; `QuotaExceeded`, `Storage`.
    pub async fn update(
        &self,
        name: &str,
        copied: bool,
        change: impl FnOnce(Option<Record>) -> Option<Record>,
    ) -> Result<Option<Record>, WorkerError> {
        self.replace(name, copied, |entry| match entry {
            Some(Err(why)) => Err(WorkerError::UnknownFile { name: name.into(), why }),
            Some(Ok(record)) => Ok(change(Some(record))),
            None => Ok(change(None)),
        })
        .await
    }

    /// Takes the copy beside a file for its record, where that is older or cannot be read.
    ///
    /// # Errors
    /// `QuotaExceeded`, `Storage`.
    pub async fn restore(&self, name: &str, copy: Record) -> Result<(), WorkerError> {
        let restored = self.replace(name, false, |entry| {
            let outdated = match &entry {
                Some(Err(why)) => *why != Unreadable::Newer,
                Some(Ok(record)) => record.changed_ms < copy.changed_ms,
                None => true,
            };
            Ok(outdated.then_some(copy))
        });
        restored.await.map(drop)
    }

    async fn replace(
        &self,
        name: &str,
        copied: bool,
        change: impl FnOnce(Option<Entry>) -> Result<Option<Record>, WorkerError>,
    ) -> Result<Option<Record>, WorkerError> {
        let change = |entry: Option<Entry>| -> Result<_, WorkerError> {
            let before = entry.clone().and_then(Result::ok);
            let changed = change(entry)?.map(|record| Record { changed_ms: since_1970_ms(), ..record });
            let text = changed.as_ref().map(Record::text);
            Ok((changed.or(before), text))
        };
        let Some(database) = &self.database else {
            let _turn = self.turn.lock().await;
            let (record, text) = change(self.copy(name).await?)?;
            if text.is_some() {
                self.store.set_copy(name, text.as_deref()).await?;
            }
            return Ok(record);
        };
        let mut result: Result<_, WorkerError> = Ok((None, None));
        let key = self.key(name);
        let write = database.update(FILES, &key, |value| {
            let there = !value.is_undefined();
            result = change(there.then(|| self.read(name, value.as_string())));
            result.as_ref().ok()?.1.as_deref().map(JsValue::from)
        });
        write.await.map_err(|error| broken(name, error))?;
        let (record, text) = result?;
        if let Some(text) = text.filter(|_| copied) {
            // It serves when the record is lost: the next one replaces it.
            let _ = self.store.set_copy(name, Some(&text)).await;
        }
        Ok(record)
    }

    /// Removes a record and its copy.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn delete(&self, name: &str) -> Result<(), WorkerError> {
        self.store.set_copy(name, None).await?;
        let Some(database) = &self.database else { return Ok(()) };
        let gone = database.write(FILES, |files| files.delete(&self.key(name))).await;
        gone.map_err(|error| broken(name, error))
    }
}
