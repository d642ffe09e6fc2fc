//! Files as records of 4 MiB in IndexedDB, where there is no file system.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::FutureExt;
use js_sys::{Array, Uint8Array};
use rexie::{KeyRange, Rexie, TransactionMode};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

use super::catalogue::{CHUNKS, broken, database, delete, put};
use super::memory::{by_chunk, join};
use super::{CHUNK_BYTES, Eventually, Store, StoredFile, failed};
use crate::error::WorkerError;
use crate::protocol::StoreKind;

/// The database's chunks.
pub struct IndexedDb(Rc<Rexie>);

/// An open file.
struct DbFile {
    database: Rc<Rexie>,
    name: String,
    /// The chunk that was read last: most reads go on in it.
    last: RefCell<Option<(u64, Uint8Array)>>,
}

/// Sorts as names and numbers do.
fn key(name: &str, chunk: u64) -> JsValue {
    Array::of2(&name.into(), &(chunk as f64).into()).into()
}

/// All keys of a file: in IndexedDB's order a number is less than an array.
fn keys(name: &str) -> Result<KeyRange, WorkerError> {
    let end = Array::of2(&name.into(), &Array::new());
    KeyRange::bound(&key(name, 0), &end, None, None).map_err(|error| broken(name, &error.into()))
}

impl IndexedDb {
    /// Opens the database, which is made at first use.
    ///
    /// # Errors
    /// `StorageUnavailable`.
    pub async fn new() -> Result<IndexedDb, WorkerError> {
        database().await.map(IndexedDb)
    }

    async fn read(database: &Rexie, name: &str, chunk: u64) -> Result<Option<Uint8Array>, WorkerError> {
        let fail = |error| broken(name, &error);
        let transaction = database.transaction(&[CHUNKS], TransactionMode::ReadOnly).map_err(fail)?;
        let value = transaction.store(CHUNKS).map_err(fail)?.get(key(name, chunk)).await.map_err(fail)?;
        Ok(value.and_then(|value| value.dyn_into().ok()))
    }
}

impl Store for IndexedDb {
    fn kind(&self) -> StoreKind {
        StoreKind::IndexedDb
    }

    fn write_bytes(&self) -> u64 {
        CHUNK_BYTES
    }

    fn open<'a>(&'a self, name: &'a str, _: bool) -> Eventually<'a, Rc<dyn StoredFile>> {
        async move {
            let file = DbFile { database: Rc::clone(&self.0), name: name.into(), last: RefCell::default() };
            Ok(Rc::new(file) as Rc<dyn StoredFile>)
        }
        .boxed_local()
    }

    fn delete<'a>(&'a self, name: &'a str) -> Eventually<'a, ()> {
        async move { delete(&self.0, CHUNKS, name, keys(name)?.into()).await }.boxed_local()
    }

    fn names(&self) -> Eventually<'_, Vec<String>> {
        async move {
            let fail = |error| broken("", &error);
            let transaction = self.0.transaction(&[CHUNKS], TransactionMode::ReadOnly).map_err(fail)?;
            let keys =
                transaction.store(CHUNKS).map_err(fail)?.get_all_keys(None, None).await.map_err(fail)?;
            let mut names: Vec<String> =
                keys.into_iter().filter_map(|key| key.dyn_into::<Array>().ok()?.get(0).as_string()).collect();
            names.dedup();
            Ok(names)
        }
        .boxed_local()
    }

    fn blob<'a>(&'a self, name: &'a str, len_bytes: u64) -> Eventually<'a, Blob> {
        async move {
            let mut parts = Vec::new();
            for chunk in 0..len_bytes.div_ceil(CHUNK_BYTES) {
                let bytes = Self::read(&self.0, name, chunk).await?;
                let bytes = bytes.ok_or_else(|| WorkerError::NotStored { name: name.into() })?;
                // Each becomes the browser's before the next is read.
                let part = Blob::new_with_u8_array_sequence(&Array::of1(&bytes));
                parts.push(part.map_err(|error| failed(name, error.into()))?);
            }
            join(parts.into_iter())
        }
        .boxed_local()
    }
}

impl StoredFile for DbFile {
    fn read_at<'a>(&'a self, offset_bytes: u64, into: &'a mut [u8]) -> Eventually<'a, ()> {
        async move {
            for (at_bytes, part) in by_chunk(offset_bytes, into) {
                let chunk = at_bytes / CHUNK_BYTES;
                let known = self.last.borrow().clone().filter(|(at, _)| *at == chunk);
                let bytes = match known {
                    Some((_, bytes)) => bytes,
                    None => IndexedDb::read(&self.database, &self.name, chunk).await?.unwrap_or_default(),
                };
                let begin = (at_bytes % CHUNK_BYTES) as u32;
                let found = bytes.subarray(begin, begin + part.len() as u32);
                if found.length() as usize != part.len() {
                    let why = format!("{} of {} bytes at {at_bytes}", found.length(), part.len());
                    return Err(WorkerError::FileUnreadable { why });
                }
                found.copy_to(part);
                self.last.replace(Some((chunk, bytes)));
            }
            Ok(())
        }
        .boxed_local()
    }

    fn write_at<'a>(&'a self, offset_bytes: u64, bytes: &'a [u8]) -> Eventually<'a, ()> {
        async move {
            let chunk = offset_bytes / CHUNK_BYTES;
            self.last.take();
            let value = Uint8Array::from(bytes).into();
            put(&self.database, CHUNKS, &self.name, &key(&self.name, chunk), &value).await
        }
        .boxed_local()
    }
}
