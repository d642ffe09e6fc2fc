//! The origin private file system, through sync access handles.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::FutureExt;
use js_sys::{AsyncIterator, IteratorNext};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Blob, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemGetDirectoryOptions,
    FileSystemGetFileOptions, FileSystemReadWriteOptions, FileSystemSyncAccessHandle,
};

use super::{BLOCK_BYTES, Eventually, Store, StoredFile, failed};
use crate::browser::{Exception, detached, read_blob, root_folder, settle};
use crate::error::WorkerError;
use crate::protocol::StoreKind;

/// Folders of the origin private file system. They are opened again when they are gone, as after the user has cleared the site's
/// data.
pub struct Opfs(RefCell<Folders>);

#[derive(Clone)]
struct Folders {
    files: FileSystemDirectoryHandle,
    /// Copies of the records, under the names of their files.
    copies: FileSystemDirectoryHandle,
}

/// An open file. While another worker has its lock it is read as a blob, which needs none.
enum OpfsFile {
    Locked(String, Handle),
    Shared(String, Blob),
}

/// Closing it releases the file's lock.
pub struct Handle(pub FileSystemSyncAccessHandle);

impl Handle {
    /// Opens a file. It is closed even where nobody waits for it any more.
    ///
    /// # Errors
    /// What the browser says.
    pub async fn open(file: FileSystemFileHandle) -> Result<Handle, Exception> {
        detached(async move { settle(file.create_sync_access_handle()).await.map(Handle) }).await
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.close();
    }
}

async fn file_handle(
    folder: &FileSystemDirectoryHandle,
    name: &str,
    create: bool,
) -> Result<FileSystemFileHandle, WorkerError> {
    let options = FileSystemGetFileOptions::new();
    options.set_create(create);
    let handle = settle(folder.get_file_handle_with_options(name, &options)).await;
    handle.map_err(|error| failed(name, error))
}

/// The names of what is in a folder.
///
/// # Errors
/// What the browser says.
pub async fn names_in(folder: &FileSystemDirectoryHandle) -> Result<Vec<String>, Exception> {
    let mut all = Vec::new();
    let names: AsyncIterator = folder.keys();
    loop {
        let next: IteratorNext = settle::<js_sys::Object>(names.next()?).await?.unchecked_into();
        if next.done() {
            return Ok(all);
        }
        all.extend(next.value().as_string());
    }
}

async fn remove(folder: &FileSystemDirectoryHandle, name: &str) -> Result<(), WorkerError> {
    let gone = settle::<JsValue>(folder.remove_entry(name)).await;
    gone.map(drop).map_err(|error| failed(name, error))
}

/// None where there is no such file.
fn if_there<T>(result: Result<T, WorkerError>) -> Result<Option<T>, WorkerError> {
    match result {
        Err(WorkerError::NotStored { .. }) => Ok(None),
        result => result.map(Some),
    }
}

impl Opfs {
    /// Opens the folders, which are made at first use.
    ///
    /// # Errors
    /// `StorageUnavailable`, for example in private browsing.
    pub async fn new() -> Result<Opfs, WorkerError> {
        Folders::open().await.map(RefCell::new).map(Opfs)
    }

    /// Does something in the folders, and once more in new ones where it finds nothing.
    async fn inside<T>(
        &self,
        work: impl AsyncFn(Folders) -> Result<T, WorkerError>,
    ) -> Result<T, WorkerError> {
        let mut are_new = false;
        loop {
            let folders = self.0.borrow().clone();
            match work(folders).await {
                Err(WorkerError::NotStored { .. }) if !are_new => {
                    self.0.replace(Folders::open().await?);
                    are_new = true;
                }
                result => return result,
            }
        }
    }
}

impl Folders {
    async fn open() -> Result<Folders, WorkerError> {
        let unavailable = |error: Exception| WorkerError::StorageUnavailable { why: error.to_string() };
        let root = root_folder().await.map_err(unavailable)?;
        let create = FileSystemGetDirectoryOptions::new();
        create.set_create(true);
        let folder = async |name: &str| {
            settle(root.get_directory_handle_with_options(name, &create)).await.map_err(unavailable)
        };
        Ok(Folders { files: folder("pith-models").await?, copies: folder("pith-records").await? })
    }
}

async fn blob_of(folder: &FileSystemDirectoryHandle, name: &str) -> Result<Blob, WorkerError> {
    let file = file_handle(folder, name, false).await?;
    settle(file.get_file()).await.map_err(|error| failed(name, error))
}

impl Store for Opfs {
    fn kind(&self) -> StoreKind {
        StoreKind::Opfs
    }

    fn write_bytes(&self) -> u64 {
        BLOCK_BYTES
    }

    fn open<'a>(&'a self, name: &'a str, writes: bool) -> Eventually<'a, Rc<dyn StoredFile>> {
        self.inside(async move |folders| {
            let file = match Handle::open(file_handle(&folders.files, name, writes).await?).await {
                Ok(file) => OpfsFile::Locked(name.into(), file),
                Err(error) if writes => return Err(failed(name, error)),
                Err(_) => OpfsFile::Shared(name.into(), blob_of(&folders.files, name).await?),
            };
            Ok(Rc::new(file) as Rc<dyn StoredFile>)
        })
        .boxed_local()
    }

    fn delete<'a>(&'a self, name: &'a str) -> Eventually<'a, ()> {
        self.inside(async move |folders| remove(&folders.files, name).await).boxed_local()
    }

    fn len_bytes<'a>(&'a self, name: &'a str) -> Eventually<'a, u64> {
        self.inside(async move |folders| Ok(blob_of(&folders.files, name).await?.size() as u64)).boxed_local()
    }

    fn copy<'a>(&'a self, name: &'a str) -> Eventually<'a, Option<String>> {
        async move {
            let there = self.inside(async move |folders| blob_of(&folders.copies, name).await);
            let Some(blob) = if_there(there.await)? else { return Ok(None) };
            let mut bytes = vec![0; blob.size() as usize];
            read_blob(&blob, 0, &mut bytes).map_err(|error| failed(name, error.into()))?;
            Ok(Some(String::from_utf8_lossy(&bytes).into()))
        }
        .boxed_local()
    }

    fn set_copy<'a>(&'a self, name: &'a str, text: Option<&'a str>) -> Eventually<'a, ()> {
        self.inside(async move |folders| {
            let Some(text) = text else { return if_there(remove(&folders.copies, name).await).map(drop) };
            let file = Handle::open(file_handle(&folders.copies, name, true).await?).await;
            let write = |file: Handle| {
                file.0.write_with_u8_array_and_options(text.as_bytes(), &at(0))?;
                file.0.truncate_with_f64(text.len() as f64)?;
                file.0.flush()
            };
            file.and_then(|file| Ok(write(file)?)).map_err(|error| failed(name, error))
        })
        .boxed_local()
    }

    fn names(&self) -> Eventually<'_, Vec<String>> {
        self.inside(async |folders| names_in(&folders.files).await.map_err(|error| failed("", error)))
            .boxed_local()
    }

    fn blob<'a>(&'a self, name: &'a str, len_bytes: u64) -> Eventually<'a, Blob> {
        async move {
            // What was reserved behind the end is not part of it.
            let blob = self.inside(async move |folders| blob_of(&folders.files, name).await).await?;
            blob.slice_with_f64_and_f64(0.0, len_bytes as f64).map_err(|error| failed(name, error.into()))
        }
        .boxed_local()
    }
}

/// Options that name a place in a file.
pub fn at(offset_bytes: u64) -> FileSystemReadWriteOptions {
    let options = FileSystemReadWriteOptions::new();
    options.set_at_f64(offset_bytes as f64);
    options
}

impl StoredFile for OpfsFile {
    fn read_at<'a>(&'a self, offset_bytes: u64, into: &'a mut [u8]) -> Eventually<'a, ()> {
        async move {
            let wanted = into.len();
            let (name, read) = match self {
                OpfsFile::Locked(name, file) => {
                    let read = file.0.read_with_u8_array_and_options(into, &at(offset_bytes));
                    (name, read.map(|read| read as usize))
                }
                OpfsFile::Shared(name, blob) => (name, read_blob(blob, offset_bytes, into)),
            };
            match read.map_err(|error| failed(name, error.into()))? {
                read if read == wanted => Ok(()),
                read => {
                    let why = format!("{read} of {wanted} bytes at {offset_bytes}");
                    Err(WorkerError::FileUnreadable { why })
                }
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
