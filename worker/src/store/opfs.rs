//! The origin private file system, through sync access handles.

use std::rc::Rc;

use futures_util::FutureExt;
use js_sys::{AsyncIterator, IteratorNext};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Blob, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemGetDirectoryOptions,
    FileSystemGetFileOptions, FileSystemReadWriteOptions, FileSystemSyncAccessHandle,
};

use super::{BLOCK_BYTES, Eventually, Store, StoredFile, failed};
use crate::browser::{Exception, scope, settle};
use crate::error::WorkerError;
use crate::protocol::StoreKind;
use crate::source::read_blob;

/// A folder of the origin private file system.
pub struct Opfs(FileSystemDirectoryHandle);

/// An open file. While another worker has its lock it is read as a blob, which needs none.
enum OpfsFile {
    Locked(String, Handle),
    Shared(Blob),
}

/// Closing it releases the file's lock.
pub struct Handle(pub FileSystemSyncAccessHandle);

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Opfs {
    /// Opens the folder, which is made at first use.
    ///
    /// # Errors
    /// `StorageUnavailable`, for example in private browsing.
    pub async fn new() -> Result<Opfs, WorkerError> {
        const FOLDER: &str = "pith-models";
        let unavailable = |error: Exception| WorkerError::StorageUnavailable { why: error.to_string() };
        let root: FileSystemDirectoryHandle =
            settle(scope().navigator().storage().get_directory()).await.map_err(unavailable)?;
        let create = FileSystemGetDirectoryOptions::new();
        create.set_create(true);
        let folder = settle(root.get_directory_handle_with_options(FOLDER, &create)).await;
        folder.map(Opfs).map_err(unavailable)
    }

    async fn handle(&self, name: &str, create: bool) -> Result<FileSystemFileHandle, WorkerError> {
        let options = FileSystemGetFileOptions::new();
        options.set_create(create);
        let handle = settle(self.0.get_file_handle_with_options(name, &options)).await;
        handle.map_err(|error| failed(name, error))
    }

    async fn file(&self, name: &str, len_bytes: Option<u64>) -> Result<Blob, WorkerError> {
        let blob: Blob =
            settle(self.handle(name, false).await?.get_file()).await.map_err(|e| failed(name, e))?;
        match len_bytes {
            // What was reserved behind the end is not part of it.
            Some(len_bytes) => {
                blob.slice_with_f64_and_f64(0.0, len_bytes as f64).map_err(|e| failed(name, e.into()))
            }
            None => Ok(blob),
        }
    }
}

impl Store for Opfs {
    fn kind(&self) -> StoreKind {
        StoreKind::Opfs
    }

    fn write_bytes(&self) -> u64 {
        BLOCK_BYTES
    }

    fn open<'a>(&'a self, name: &'a str, writes: bool) -> Eventually<'a, Rc<dyn StoredFile>> {
        async move {
            let handle = self.handle(name, writes).await?;
            let file = match settle::<FileSystemSyncAccessHandle>(handle.create_sync_access_handle()).await {
                Ok(file) => OpfsFile::Locked(name.into(), Handle(file)),
                Err(error) if writes => return Err(failed(name, error)),
                Err(_) => OpfsFile::Shared(self.file(name, None).await?),
            };
            Ok(Rc::new(file) as Rc<dyn StoredFile>)
        }
        .boxed_local()
    }

    fn delete<'a>(&'a self, name: &'a str) -> Eventually<'a, ()> {
        async move {
            let gone = settle::<JsValue>(self.0.remove_entry(name)).await;
            gone.map(drop).map_err(|error| failed(name, error))
        }
        .boxed_local()
    }

    fn names(&self) -> Eventually<'_, Vec<String>> {
        async move {
            let mut all = Vec::new();
            let names: AsyncIterator = self.0.keys();
            loop {
                let next = names.next().map_err(|error| failed("", error.into()))?;
                let next = settle::<js_sys::Object>(next).await.map_err(|error| failed("", error))?;
                let next: IteratorNext = next.unchecked_into();
                if next.done() {
                    return Ok(all);
                }
                all.extend(next.value().as_string());
            }
        }
        .boxed_local()
    }

    fn blob<'a>(&'a self, name: &'a str, len_bytes: u64) -> Eventually<'a, Blob> {
        self.file(name, Some(len_bytes)).boxed_local()
    }
}

/// Options that name a place in a file.
fn at(offset_bytes: u64) -> FileSystemReadWriteOptions {
    let options = FileSystemReadWriteOptions::new();
    options.set_at_f64(offset_bytes as f64);
    options
}

impl StoredFile for OpfsFile {
    fn read_at<'a>(&'a self, offset_bytes: u64, into: &'a mut [u8]) -> Eventually<'a, ()> {
        async move {
            let wanted = into.len();
            let read = match self {
                OpfsFile::Locked(_, file) => {
                    file.0.read_with_u8_array_and_options(into, &at(offset_bytes)).map(|read| read as usize)
                }
                OpfsFile::Shared(blob) => read_blob(blob, offset_bytes, into),
            };
            match read {
                Ok(read) if read == wanted => Ok(()),
                Ok(read) => {
                    let why = format!("{read} of {wanted} bytes at {offset_bytes}");
                    Err(WorkerError::FileUnreadable { why })
                }
                Err(error) => Err(WorkerError::FileUnreadable { why: Exception::from(error).to_string() }),
            }
        }
        .boxed_local()
    }

    fn write_at<'a>(&'a self, offset_bytes: u64, bytes: &'a [u8]) -> Eventually<'a, ()> {
        async move {
            let OpfsFile::Locked(name, file) = self else {
                return Err(WorkerError::Internal { why: "a file that is only read was written".into() });
            };
            let written = file.0.write_with_u8_array_and_options(bytes, &at(offset_bytes));
            let written = written.map_err(|error| failed(name, error.into()))?;
            if (written as usize) < bytes.len() {
                // A disk that is full ends a write early in some browsers.
                let why = format!("{written} of {} bytes were written", bytes.len());
                return Err(WorkerError::QuotaExceeded { why, could_delete: Vec::new() });
            }
            file.0.flush().map_err(|error| failed(name, error.into()))
        }
        .boxed_local()
    }
}
