//! Where a model's bytes are read from: in place, piece by piece.

use std::rc::Rc;

use web_sys::{Blob, RequestInit, Response};

use crate::browser::{BlobReader, Exception, scope, settle};
use crate::download::answer::refusal;
use crate::error::WorkerError;
use crate::incoming::Incoming;
use crate::ticket::Ticket;

/// Bytes at offsets.
pub enum ByteSource {
    /// A local file or a packaged one. The browser keeps its bytes, not the wasm heap.
    Blob(BlobReader),
    /// A file of the store, perhaps on its way.
    Stored(Rc<Incoming>),
}

impl ByteSource {
    /// Waits until what was read is known to be what was stored.
    ///
    /// # Errors
    /// Those of [`Incoming::settle`].
    pub async fn settle(&self, ticket: &Ticket) -> Result<(), WorkerError> {
        match self {
            ByteSource::Stored(file) => file.settle(ticket).await,
            ByteSource::Blob(_) => Ok(()),
        }
    }

    /// How many bytes there are.
    ///
    /// # Errors
    /// `Internal` where nobody knows yet.
    pub fn len_bytes(&self) -> Result<u64, WorkerError> {
        match self {
            ByteSource::Blob(blob) => Ok(blob.len_bytes()),
            ByteSource::Stored(file) => {
                let unknown = || WorkerError::Internal { why: "the length of a file is not known".into() };
                file.len_bytes().ok_or_else(unknown)
            }
        }
    }

    /// Fills `into` from `offset_bytes` on. Waits for bytes that have not arrived.
    ///
    /// # Errors
    /// `FileUnreadable`; of a stored file those of [`Incoming::read_at`].
    pub async fn read_at(
        &self,
        offset_bytes: u64,
        into: &mut [u8],
        ticket: &Ticket,
    ) -> Result<(), WorkerError> {
        match self {
            ByteSource::Stored(file) => file.read_at(offset_bytes, into, ticket).await,
            ByteSource::Blob(blob) => {
                let wanted = into.len();
                match blob.read_at(offset_bytes, into).await {
                    Ok(read) if read == wanted => Ok(()),
                    Ok(read) => {
                        let why = format!("{read} of {wanted} bytes at {offset_bytes}");
                        Err(WorkerError::FileUnreadable { why })
                    }
                    Err(error) => Err(WorkerError::FileUnreadable { why: error.to_string() }),
                }
            }
        }
    }
}

/// Fetches a file that ships beside the worker. Its bytes stay with the browser. `named` is the address that the page
/// gave, where `url` is another file of the same model.
///
/// # Errors
/// `Network`, `HttpStatus`, `Cancelled`; `PartsMissing` where `url` is another file than the named one and not there.
pub async fn open_packaged(url: &str, named: &str, ticket: &Ticket) -> Result<Blob, WorkerError> {
    let failed = |error: Exception| match ticket.is_cancelled() {
        true => WorkerError::Cancelled,
        false => WorkerError::Network { url: url.into(), why: error.to_string() },
    };
    let traffic = ticket.traffic();
    let init = RequestInit::new();
    init.set_signal(traffic.as_ref().map(|traffic| traffic.aborter.signal()).as_ref());
    let response: Response = settle(scope().fetch_with_str_and_init(url, &init)).await.map_err(failed)?;
    if !response.ok() {
        return Err(refusal(url, named, response.status()));
    }
    let blob = response.blob().map_err(|error| failed(error.into()))?;
    settle(blob).await.map_err(failed)
}
