//! Where a model's bytes are read from. All sources are read in place, piece by piece, and synchronously: browsers
//! allow that inside a worker, for blobs through `FileReaderSync` and for stored files through a sync access handle.

use js_sys::Uint8Array;
use web_sys::{Blob, FileReaderSync, FileSystemReadWriteOptions, FileSystemSyncAccessHandle, Response};

use crate::browser::{Exception, scope, settle};
use crate::error::WorkerError;
use crate::ticket::Ticket;

/// Bytes at offsets.
#[derive(Debug)]
pub enum ByteSource {
    /// A local file or a packaged one. The browser keeps its bytes, not the wasm heap.
    Blob(Blob),
    /// A file of the store, locked while this lives.
    Stored(StoredFile),
}

/// An open file of the origin private file system. Closing it releases its lock.
#[derive(Debug)]
pub struct StoredFile(pub FileSystemSyncAccessHandle);

impl Drop for StoredFile {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn unreadable(why: Exception) -> WorkerError {
    WorkerError::FileUnreadable { why: why.to_string() }
}

impl ByteSource {
    /// Size of the whole file.
    ///
    /// # Errors
    /// `FileUnreadable`.
    pub fn len_bytes(&self) -> Result<u64, WorkerError> {
        match self {
            ByteSource::Blob(blob) => Ok(blob.size() as u64),
            ByteSource::Stored(file) => {
                file.0.get_size().map(|size| size as u64).map_err(|error| unreadable(error.into()))
            }
        }
    }

    /// Fills `into` from `offset_bytes` on.
    ///
    /// # Errors
    /// `FileUnreadable`, also where the file ends before `into` is full.
    pub fn read_at(&self, offset_bytes: u64, into: &mut [u8]) -> Result<(), WorkerError> {
        let read_bytes = match self {
            ByteSource::Blob(blob) => read_blob(blob, offset_bytes, into),
            ByteSource::Stored(file) => {
                let options = FileSystemReadWriteOptions::new();
                options.set_at_f64(offset_bytes as f64);
                file.0.read_with_u8_array_and_options(into, &options).map(|read| read as usize)
            }
        }
        .map_err(|error| unreadable(error.into()))?;
        if read_bytes == into.len() {
            return Ok(());
        }
        let why = format!("{read_bytes} of {} bytes at {offset_bytes}", into.len());
        Err(WorkerError::FileUnreadable { why })
    }
}

fn read_blob(blob: &Blob, offset_bytes: u64, into: &mut [u8]) -> Result<usize, wasm_bindgen::JsValue> {
    let end_bytes = offset_bytes + into.len() as u64;
    let slice = blob.slice_with_f64_and_f64(offset_bytes as f64, end_bytes as f64)?;
    let buffer = FileReaderSync::new()?.read_as_array_buffer(&slice)?;
    let bytes = Uint8Array::new(&buffer);
    let read_bytes = bytes.length() as usize;
    if let Some(filled) = into.get_mut(..read_bytes) {
        bytes.copy_to(filled);
    }
    Ok(read_bytes)
}

/// How a file is asked for.
#[derive(Debug, Clone, Copy)]
pub enum Method {
    /// Its bytes.
    Get,
    /// How many they are.
    Head,
}

/// Fetches a file that ships beside the worker; `named` as of [`fetch_file`]. Its bytes stay with the browser.
///
/// # Errors
/// Those of [`fetch_file`].
pub async fn open_packaged(url: &str, named: &str, ticket: &Ticket) -> Result<Blob, WorkerError> {
    let response = fetch_file(url, named, Method::Get, ticket).await?;
    let blob = response.blob().map_err(|error| network(url, ticket, error.into()))?;
    settle(blob).await.map_err(|error| network(url, ticket, error))
}

/// Fetches a file of the model at `named`, ended by the ticket's `cancel`.
///
/// # Errors
/// `Network`, `HttpStatus`, `Cancelled`; `PartsMissing` where `url` is another file than the named one and not there.
pub async fn fetch_file(
    url: &str,
    named: &str,
    method: Method,
    ticket: &Ticket,
) -> Result<Response, WorkerError> {
    const ABSENT: [u16; 2] = [404, 410];
    let init = web_sys::RequestInit::new();
    init.set_signal(ticket.abort_signal().as_ref());
    init.set_method(match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
    });
    let response: Response = settle(scope().fetch_with_str_and_init(url, &init))
        .await
        .map_err(|error| network(url, ticket, error))?;
    let error = WorkerError::HttpStatus { url: url.into(), status: response.status() };
    if response.ok() {
        Ok(response)
    } else if url != named && ABSENT.contains(&response.status()) {
        Err(WorkerError::PartsMissing { why: error.to_string() })
    } else {
        Err(error)
    }
}

/// What a failed fetch or read of a body means.
pub fn network(url: &str, ticket: &Ticket, error: Exception) -> WorkerError {
    if ticket.is_cancelled() {
        return WorkerError::Cancelled;
    }
    WorkerError::Network { url: url.into(), why: error.to_string() }
}
