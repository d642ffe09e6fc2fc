//! The origin private file system, read and written through sync access handles.

use js_sys::{AsyncIterator, Function, IteratorNext, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Blob, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemGetDirectoryOptions,
    FileSystemGetFileOptions, FileSystemSyncAccessHandle, StorageEstimate,
};

use super::{PART_SUFFIX, models_of_files, names_of_model};
use crate::browser::{Exception, scope, settle};
use crate::error::WorkerError;
use crate::protocol::StoredModel;
use crate::source::{ByteSource, StoredFile};

/// The folder of downloaded models.
#[derive(Debug, Clone)]
pub struct Store {
    folder: FileSystemDirectoryHandle,
}

/// A file that is being written and does not count as stored yet.
#[derive(Debug)]
pub struct Part {
    name: String,
    handle: FileSystemFileHandle,
    file: StoredFile,
    len_bytes: u64,
}

fn unavailable(error: Exception) -> WorkerError {
    WorkerError::StorageUnavailable { why: error.to_string() }
}

fn failed(name: &str, error: Exception) -> WorkerError {
    match error.name.as_str() {
        "QuotaExceededError" => WorkerError::QuotaExceeded { why: error.message },
        "NotFoundError" => WorkerError::NotStored { name: name.into() },
        _ => WorkerError::Storage { name: name.into(), why: error.to_string() },
    }
}

impl Store {
    /// Opens the folder, creating it at first use.
    ///
    /// # Errors
    /// `StorageUnavailable`, for example in private browsing.
    pub async fn open() -> Result<Store, WorkerError> {
        const FOLDER: &str = "pith-models";
        let root: FileSystemDirectoryHandle =
            settle(scope().navigator().storage().get_directory()).await.map_err(unavailable)?;
        let create = FileSystemGetDirectoryOptions::new();
        create.set_create(true);
        let folder =
            settle(root.get_directory_handle_with_options(FOLDER, &create)).await.map_err(unavailable)?;
        Ok(Store { folder })
    }

    /// Bytes that may still be written; `None` where the browser does not tell.
    pub async fn free_bytes(&self) -> Option<u64> {
        let promise = scope().navigator().storage().estimate().ok()?;
        let estimate: StorageEstimate = settle::<js_sys::Object>(promise).await.ok()?.unchecked_into();
        Some((estimate.get_quota()? - estimate.get_usage()?).max(0.0) as u64)
    }

    async fn handle(&self, name: &str) -> Result<FileSystemFileHandle, WorkerError> {
        settle(self.folder.get_file_handle(name)).await.map_err(|error| failed(name, error))
    }

    /// Size of the whole file of this name; `None` where it is not stored.
    pub async fn len_bytes(&self, name: &str) -> Option<u64> {
        let handle = self.handle(name).await.ok()?;
        let blob: Blob = settle(handle.get_file()).await.ok()?;
        Some(blob.size() as u64)
    }

    /// Opens a whole file for reading. While another worker holds its lock it is read as a blob, which needs none.
    ///
    /// # Errors
    /// `NotStored`, `Storage`.
    pub async fn read(&self, name: &str) -> Result<ByteSource, WorkerError> {
        let handle = self.handle(name).await?;
        match settle::<FileSystemSyncAccessHandle>(handle.create_sync_access_handle()).await {
            Ok(file) => Ok(ByteSource::Stored(StoredFile(file))),
            Err(_) => {
                let blob: Blob = settle(handle.get_file()).await.map_err(|error| failed(name, error))?;
                Ok(ByteSource::Blob(blob))
            }
        }
    }

    /// Begins a file; what an earlier, interrupted attempt left is overwritten.
    ///
    /// # Errors
    /// `Storage` (also while another worker writes the same file), `QuotaExceeded`.
    pub async fn create(&self, name: &str) -> Result<Part, WorkerError> {
        let part_name = format!("{name}{PART_SUFFIX}");
        let create = FileSystemGetFileOptions::new();
        create.set_create(true);
        let fail = |error| failed(name, error);
        let handle: FileSystemFileHandle =
            settle(self.folder.get_file_handle_with_options(&part_name, &create)).await.map_err(fail)?;
        let file: FileSystemSyncAccessHandle =
            settle(handle.create_sync_access_handle()).await.map_err(fail)?;
        let file = StoredFile(file);
        file.0.truncate_with_f64(0.0).map_err(|error| fail(error.into()))?;
        Ok(Part { name: name.into(), handle, file, len_bytes: 0 })
    }

    /// Makes a finished part a stored file: everything is on disk before it gets its name.
    ///
    /// # Errors
    /// `Storage`, `QuotaExceeded`.
    pub async fn finish(&self, part: Part) -> Result<(), WorkerError> {
        let Part { name, handle, file, .. } = part;
        let fail = |error| failed(&name, error);
        file.0.flush().map_err(|error| fail(error.into()))?;
        drop(file);
        // `move` is in Chromium, Firefox and Safari, but not in the bindings.
        let rename: Function = Reflect::get(&handle, &"move".into())
            .and_then(JsCast::dyn_into)
            .map_err(|error| fail(error.into()))?;
        let promise: Promise = rename
            .call1(&handle, &JsValue::from(&name))
            .and_then(JsCast::dyn_into)
            .map_err(|error| fail(error.into()))?;
        settle::<JsValue>(promise).await.map_err(fail)?;
        Ok(())
    }

    /// Throws an unfinished part away.
    pub async fn discard(&self, part: Part) {
        let name = format!("{}{PART_SUFFIX}", part.name);
        drop(part);
        // A part that stays does no harm: it never counts as a model and the next attempt overwrites it.
        let _ = settle::<JsValue>(self.folder.remove_entry(&name)).await;
    }

    /// Removes a whole file.
    ///
    /// # Errors
    /// `NotStored`, `Storage`.
    pub async fn delete_file(&self, name: &str) -> Result<(), WorkerError> {
        settle::<JsValue>(self.folder.remove_entry(name)).await.map(drop).map_err(|error| failed(name, error))
    }

    /// Removes a model, whichever of its files `name` names.
    ///
    /// # Errors
    /// `NotStored` where none of its files is, `Storage`.
    pub async fn delete(&self, name: &str) -> Result<(), WorkerError> {
        let mut result = Err(WorkerError::NotStored { name: name.into() });
        for file in names_of_model(name) {
            match self.delete_file(&file).await {
                Err(WorkerError::NotStored { .. }) => {}
                deleted => result = Ok(deleted?),
            }
        }
        result
    }

    /// The stored models, by name.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn list(&self) -> Result<Vec<StoredModel>, WorkerError> {
        let mut files = Vec::new();
        let names: AsyncIterator = self.folder.keys();
        loop {
            let next = names.next().map_err(|error| failed("", error.into()))?;
            let next: IteratorNext =
                settle::<js_sys::Object>(next).await.map_err(|error| failed("", error))?.unchecked_into();
            if next.done() {
                break;
            }
            let Some(name) = next.value().as_string() else { continue };
            if name.ends_with(PART_SUFFIX) {
                continue;
            }
            let handle = self.handle(&name).await?;
            let blob: Blob = settle(handle.get_file()).await.map_err(|error| failed(&name, error))?;
            files.push((name, blob.size() as u64));
        }
        Ok(models_of_files(files))
    }
}

impl Part {
    /// Appends bytes straight from JavaScript's memory.
    ///
    /// # Errors
    /// `QuotaExceeded`, `Storage`.
    pub fn append(&mut self, bytes: &Uint8Array) -> Result<(), WorkerError> {
        let written =
            self.file.0.write_with_js_u8_array(bytes).map_err(|error| failed(&self.name, error.into()))?
                as u64;
        self.len_bytes += written;
        if written == u64::from(bytes.length()) {
            return Ok(());
        }
        Err(WorkerError::QuotaExceeded { why: format!("{written} of {} bytes were written", bytes.length()) })
    }

    /// Bytes written so far.
    pub fn len_bytes(&self) -> u64 {
        self.len_bytes
    }
}
