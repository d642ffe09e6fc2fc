//! Files in the browser's memory, for as long as the worker lives: where nothing can be stored.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::ready;
use js_sys::{Array, Uint8Array};
use web_sys::Blob;

use super::{CHUNK_BYTES, Eventually, Store, StoredFile};
use crate::browser::{Exception, read_blob};
use crate::error::WorkerError;
use crate::protocol::StoreKind;

/// Chunks by their place in the file. As blobs they are the browser's, not the wasm heap's.
type Chunks = Rc<RefCell<BTreeMap<u64, Blob>>>;

/// Files by name, and their records.
#[derive(Default)]
pub struct Memory(RefCell<BTreeMap<String, Chunks>>, RefCell<BTreeMap<String, String>>);

/// One of them.
struct MemoryFile(Chunks);

impl Memory {
    fn chunks(&self, name: &str) -> Result<Chunks, WorkerError> {
        self.0.borrow().get(name).cloned().ok_or_else(|| WorkerError::NotStored { name: name.into() })
    }
}

impl Store for Memory {
    fn kind(&self) -> StoreKind {
        StoreKind::Memory
    }

    fn write_bytes(&self) -> u64 {
        CHUNK_BYTES
    }

    fn open<'a>(&'a self, name: &'a str, writes: bool) -> Eventually<'a, Rc<dyn StoredFile>> {
        if writes {
            self.0.borrow_mut().entry(name.into()).or_default();
        }
        let file = self.chunks(name).map(|chunks| Rc::new(MemoryFile(chunks)) as Rc<dyn StoredFile>);
        ready(file).boxed_local()
    }

    fn delete<'a>(&'a self, name: &'a str) -> Eventually<'a, ()> {
        let gone = self.0.borrow_mut().remove(name);
        ready(gone.map(drop).ok_or_else(|| WorkerError::NotStored { name: name.into() })).boxed_local()
    }

    fn len_bytes<'a>(&'a self, name: &'a str) -> Eventually<'a, u64> {
        let len_bytes =
            self.chunks(name).map(|chunks| chunks.borrow().values().map(|c| c.size() as u64).sum());
        ready(len_bytes).boxed_local()
    }

    fn copy<'a>(&'a self, name: &'a str) -> Eventually<'a, Option<String>> {
        ready(Ok(self.1.borrow().get(name).cloned())).boxed_local()
    }

    fn set_copy<'a>(&'a self, name: &'a str, text: Option<&'a str>) -> Eventually<'a, ()> {
        let mut copies = self.1.borrow_mut();
        match text {
            Some(text) => copies.insert(name.into(), text.into()),
            None => copies.remove(name),
        };
        ready(Ok(())).boxed_local()
    }

    fn names(&self) -> Eventually<'_, Vec<String>> {
        ready(Ok(self.1.borrow().keys().cloned().collect())).boxed_local()
    }

    fn blob<'a>(&'a self, name: &'a str, _: u64) -> Eventually<'a, Blob> {
        let joined = self.chunks(name).and_then(|chunks| join(chunks.borrow().values().cloned()));
        ready(joined).boxed_local()
    }
}

impl StoredFile for MemoryFile {
    fn read_at<'a>(&'a self, offset_bytes: u64, into: &'a mut [u8]) -> Eventually<'a, ()> {
        let chunks = self.0.borrow();
        let mut read = Ok(());
        for (at_bytes, part) in by_chunk(offset_bytes, into) {
            let blob = chunks.get(&(at_bytes - at_bytes % CHUNK_BYTES));
            let wanted = part.len();
            let got = blob.map_or(Ok(0), |blob| read_blob(blob, at_bytes % CHUNK_BYTES, part));
            if got.is_ok_and(|got| got == wanted) {
                continue;
            }
            read = Err(WorkerError::FileUnreadable { why: format!("no {wanted} bytes at {at_bytes}") });
        }
        ready(read).boxed_local()
    }

    fn write_at<'a>(&'a self, offset_bytes: u64, bytes: &'a [u8]) -> Eventually<'a, ()> {
        let written = blob(bytes).map(|blob| drop(self.0.borrow_mut().insert(offset_bytes, blob)));
        ready(written).boxed_local()
    }
}

/// The parts of `into` that lie in one chunk each, with their places in the file.
pub fn by_chunk(offset_bytes: u64, into: &mut [u8]) -> impl Iterator<Item = (u64, &mut [u8])> {
    let mut at_bytes = offset_bytes;
    let mut rest = into;
    std::iter::from_fn(move || {
        let room = (CHUNK_BYTES - at_bytes % CHUNK_BYTES).min(rest.len() as u64) as usize;
        let (part, later) = std::mem::take(&mut rest).split_at_mut(room);
        let place = at_bytes;
        rest = later;
        at_bytes += room as u64;
        (room > 0).then_some((place, part))
    })
}

/// A blob of bytes.
fn blob(bytes: &[u8]) -> Result<Blob, WorkerError> {
    let parts = Array::of1(&Uint8Array::from(bytes));
    Blob::new_with_u8_array_sequence(&parts).map_err(|error| full(error.into()))
}

/// One blob of many. Their bytes are not copied.
///
/// # Errors
/// `QuotaExceeded` where the browser has no room for another blob.
pub fn join(blobs: impl Iterator<Item = Blob>) -> Result<Blob, WorkerError> {
    Blob::new_with_blob_sequence(&blobs.collect::<Array>()).map_err(|error| full(error.into()))
}

fn full(error: Exception) -> WorkerError {
    WorkerError::QuotaExceeded { why: error.to_string(), could_delete: Vec::new() }
}
