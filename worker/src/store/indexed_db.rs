//! Files as records of 4 MiB in IndexedDB, where there is no file system.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::FutureExt;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, IdbKeyRange, IdbObjectStore};

use super::catalogue::{CHUNKS, broken, database};
use super::memory::{by_chunk, join};
use super::{CHUNK_BYTES, Eventually, Store, StoredFile, failed};
use crate::browser::Database;
use crate::error::WorkerError;
use crate::protocol::StoreKind;

/// The database's chunks.
pub struct IndexedDb(Rc<Database>);

/// An open file.
struct DbFile {
    database: Rc<Database>,
    name: String,
    /// The chunk that was read last: most reads go on in it.
    last: RefCell<Option<(u64, Uint8Array)>>,
}

/// Sorts as names and numbers do.
fn key(name: &str, chunk: u64) -> JsValue {
    Array::of2(&name.into(), &(chunk as f64).into()).into()
}

/// Where the copy of a file's record is: behind its chunks.
fn copy_key(name: &str) -> JsValue {
    Array::of2(&name.into(), &"record".into()).into()
}

/// All keys of a file: in IndexedDB's order a number is less than a string, and both than an array.
fn keys(name: &str) -> Result<JsValue, JsValue> {
    let end = Array::of2(&name.into(), &Array::new());
    IdbKeyRange::bound(&key(name, 0), &end).map(JsValue::from)
}

/// The keys of its chunks.
fn chunk_keys(name: &str) -> Result<JsValue, JsValue> {
    IdbKeyRange::bound(&key(name, 0), &Array::of2(&name.into(), &f64::MAX.into())).map(JsValue::from)
}

impl IndexedDb {
    /// Opens the database, which is made at first use.
    ///
    /// # Errors
    /// `StorageUnavailable`.
    pub async fn new() -> Result<IndexedDb, WorkerError> {
        database().await.map(Rc::new).map(IndexedDb)
    }

    async fn read(database: &Database, name: &str, chunk: u64) -> Result<Option<Uint8Array>, WorkerError> {
        let value = database.read(CHUNKS, |chunks| chunks.get(&key(name, chunk))).await;
        Ok(value.map_err(|error| broken(name, error))?.dyn_into().ok())
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
        async move {
            let gone = self.0.write(CHUNKS, |chunks| chunks.delete(&keys(name)?)).await;
            gone.map_err(|error| broken(name, error))
        }
        .boxed_local()
    }

    fn len_bytes<'a>(&'a self, name: &'a str) -> Eventually<'a, u64> {
        async move {
            let count = self.0.read(CHUNKS, |chunks| chunks.count_with_key(&chunk_keys(name)?)).await;
            let count = count.map_err(|error| broken(name, error))?.as_f64().unwrap_or_default();
            Ok(count as u64 * CHUNK_BYTES)
        }
        .boxed_local()
    }

    fn copy<'a>(&'a self, name: &'a str) -> Eventually<'a, Option<String>> {
        async move {
            let value = self.0.read(CHUNKS, |chunks| chunks.get(&copy_key(name))).await;
            Ok(value.map_err(|error| broken(name, error))?.as_string())
        }
        .boxed_local()
    }

    fn set_copy<'a>(&'a self, name: &'a str, text: Option<&'a str>) -> Eventually<'a, ()> {
        async move {
            let write = self.0.write(CHUNKS, |chunks| match text {
                Some(text) => chunks.put_with_key(&text.into(), &copy_key(name)),
                None => chunks.delete(&copy_key(name)),
            });
            write.await.map_err(|error| broken(name, error))
        }
        .boxed_local()
    }

    fn names(&self) -> Eventually<'_, Vec<String>> {
        async move {
            let keys = self.0.read(CHUNKS, |chunks| chunks.get_all_keys()).await;
            let keys = Array::from(&keys.map_err(|error| broken("", error))?);
            let mut names: Vec<String> =
                keys.iter().filter_map(|key| key.dyn_into::<Array>().ok()?.get(0).as_string()).collect();
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
            let value: JsValue = Uint8Array::from(bytes).into();
            let put = |chunks: &IdbObjectStore| chunks.put_with_key(&value, &key(&self.name, chunk));
            self.database.write(CHUNKS, put).await.map_err(|error| broken(&self.name, error))
        }
        .boxed_local()
    }
}
