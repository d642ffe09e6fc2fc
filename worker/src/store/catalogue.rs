//! The records of all files, in IndexedDB; in memory where there is none.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rexie::{ObjectStore, Rexie, Transaction, TransactionMode, TransactionResult};
use wasm_bindgen::JsValue;

use super::{Record, failed};
use crate::browser::Exception;
use crate::error::WorkerError;

const FILES: &str = "files";

/// The table of the store in IndexedDB.
pub const CHUNKS: &str = "chunks";

/// The worker's database.
///
/// # Errors
/// `StorageUnavailable`.
pub async fn database() -> Result<Rc<Rexie>, WorkerError> {
    let builder = Rexie::builder("pith").version(1);
    let builder =
        builder.add_object_store(ObjectStore::new(FILES)).add_object_store(ObjectStore::new(CHUNKS));
    let opened = builder.build().await.map(Rc::new);
    opened.map_err(|error| WorkerError::StorageUnavailable { why: error.to_string() })
}

/// Writes one record, which is in the database when this ends.
///
/// # Errors
/// `QuotaExceeded`, `Storage`; `name` is for the message.
pub async fn put(
    database: &Rexie,
    table: &str,
    name: &str,
    key: &JsValue,
    value: &JsValue,
) -> Result<(), WorkerError> {
    let fail = |error| broken(name, &error);
    let transaction = database.transaction(&[table], TransactionMode::ReadWrite).map_err(fail)?;
    transaction.store(table).map_err(fail)?.put(value, Some(key)).await.map_err(fail)?;
    commit(transaction, name).await
}

/// Removes the records of a key or a range of keys.
///
/// # Errors
/// `Storage`; `name` is for the message.
pub async fn delete(database: &Rexie, table: &str, name: &str, keys: JsValue) -> Result<(), WorkerError> {
    let fail = |error| broken(name, &error);
    let transaction = database.transaction(&[table], TransactionMode::ReadWrite).map_err(fail)?;
    transaction.store(table).map_err(fail)?.delete(keys).await.map_err(fail)?;
    commit(transaction, name).await
}

async fn commit(transaction: Transaction, name: &str) -> Result<(), WorkerError> {
    match transaction.done().await.map_err(|error| broken(name, &error))? {
        TransactionResult::Committed => Ok(()),
        // Each request in it succeeded: it is the disk that did not take them.
        TransactionResult::Aborted => Err(WorkerError::QuotaExceeded {
            why: "the browser took the write back".into(),
            could_delete: Vec::new(),
        }),
    }
}

/// What an error of the database means.
pub fn broken(name: &str, error: &rexie::Error) -> WorkerError {
    // The exception lies deep inside, and only its words tell which it is.
    let message = format!("{error:?}");
    let full = message.contains("QuotaExceeded");
    let name_of_exception = if full { "QuotaExceededError" } else { "" };
    failed(name, Exception { name: name_of_exception.into(), message })
}

/// Records by the names of their files.
pub struct Catalogue {
    database: Option<Rc<Rexie>>,
    /// Those of the store in memory, and all where there is no database.
    memory: RefCell<BTreeMap<String, String>>,
}

impl Catalogue {
    /// Records that last as long as the files: in the database, or with the worker.
    pub async fn open(lasting: bool) -> Catalogue {
        let database = if lasting { database().await.ok() } else { None };
        Catalogue { database, memory: RefCell::default() }
    }

    /// The record of a file.
    pub async fn get(&self, name: &str) -> Result<Option<Record>, WorkerError> {
        let text = match &self.database {
            Some(database) => {
                let transaction =
                    database.transaction(&[FILES], TransactionMode::ReadOnly).map_err(unreadable)?;
                let files = transaction.store(FILES).map_err(unreadable)?;
                files.get(name.into()).await.map_err(unreadable)?.and_then(|value| value.as_string())
            }
            None => self.memory.borrow().get(name).cloned(),
        };
        Ok(text.and_then(|text| read(&text)))
    }

    /// All records.
    pub async fn all(&self) -> Result<Vec<Record>, WorkerError> {
        let texts: Vec<String> = match &self.database {
            Some(database) => {
                let transaction =
                    database.transaction(&[FILES], TransactionMode::ReadOnly).map_err(unreadable)?;
                let files = transaction.store(FILES).map_err(unreadable)?;
                let all = files.get_all(None, None).await.map_err(unreadable)?;
                all.into_iter().filter_map(|value| value.as_string()).collect()
            }
            None => self.memory.borrow().values().cloned().collect(),
        };
        Ok(texts.iter().filter_map(|text| read(text)).collect())
    }

    /// Writes a record.
    pub async fn put(&self, record: &Record) -> Result<(), WorkerError> {
        // Plain data can always be written.
        let text = serde_json::to_string(record).unwrap_or_default();
        match &self.database {
            Some(database) => {
                put(database, FILES, &record.name, &record.name.as_str().into(), &text.into()).await
            }
            None => {
                self.memory.borrow_mut().insert(record.name.clone(), text);
                Ok(())
            }
        }
    }

    /// Removes a record.
    pub async fn delete(&self, name: &str) -> Result<(), WorkerError> {
        match &self.database {
            Some(database) => delete(database, FILES, name, name.into()).await,
            None => {
                self.memory.borrow_mut().remove(name);
                Ok(())
            }
        }
    }
}

/// A record of another version is none: its file is fetched again.
fn read(text: &str) -> Option<Record> {
    serde_json::from_str(text).ok()
}

fn unreadable(error: rexie::Error) -> WorkerError {
    broken("the catalogue", &error)
}
