//! Stored models: files behind one trait, and a catalogue that knows what is there of each.
//!
//! A file counts as whole by its record in the catalogue alone, which is written after the bytes: an interruption at any
//! moment never leaves a file that looks like a model. A copy of the record lies beside the file, so that a lost catalogue
//! can be rebuilt. A file is deleted only when the user asks for it, or when its record says that it is unwanted.

mod identity;
mod ledger;
mod name;
mod record;
mod unreadable;

#[cfg(target_arch = "wasm32")]
mod catalogue;
#[cfg(target_arch = "wasm32")]
mod indexed_db;
#[cfg(target_arch = "wasm32")]
mod memory;
#[cfg(target_arch = "wasm32")]
mod note;
#[cfg(target_arch = "wasm32")]
mod opfs;
#[cfg(target_arch = "wasm32")]
mod shelf;

pub use identity::names_by_hash;
pub use ledger::{BLOCK_BYTES, CHUNK_BYTES, LEN_BYTES_MAX, Ledger};
pub use name::{Remote, kept_names, names_of_model, remotes};
pub use record::{Record, could_delete, models_of};
pub use unreadable::Unreadable;

#[cfg(target_arch = "wasm32")]
pub use catalogue::{Catalogue, Entry};
#[cfg(target_arch = "wasm32")]
pub use memory::by_chunk;
#[cfg(target_arch = "wasm32")]
pub use note::{read_note, write_note};
#[cfg(target_arch = "wasm32")]
pub use opfs::{Handle, names_in};
#[cfg(target_arch = "wasm32")]
pub use shelf::{Shelf, choose_store, shelf};

#[cfg(target_arch = "wasm32")]
pub use interface::{Eventually, Store, StoredFile};

#[cfg(target_arch = "wasm32")]
mod interface {
    use std::rc::Rc;

    use futures_util::future::LocalBoxFuture;
    use web_sys::Blob;

    use crate::error::WorkerError;
    use crate::protocol::StoreKind;

    /// A result that takes a turn of the event loop, or does not.
    pub type Eventually<'a, T> = LocalBoxFuture<'a, Result<T, WorkerError>>;

    /// A place for files. The catalogue knows how long they are and what of them is there.
    pub trait Store {
        /// Which one it is.
        fn kind(&self) -> StoreKind;

        /// What is written at once, and begins at a multiple of itself: a block or a chunk.
        fn write_bytes(&self) -> u64;

        /// Opens a file to read from it, and to write to it, which makes it.
        ///
        /// # Errors
        /// `NotStored`, `Storage` (where another tab writes it, for one), `QuotaExceeded`.
        fn open<'a>(&'a self, name: &'a str, writes: bool) -> Eventually<'a, Rc<dyn StoredFile>>;

        /// Removes a file.
        ///
        /// # Errors
        /// `NotStored`, `Storage`.
        fn delete<'a>(&'a self, name: &'a str) -> Eventually<'a, ()>;

        /// What a file takes, at most.
        ///
        /// # Errors
        /// `NotStored`, `Storage`.
        fn len_bytes<'a>(&'a self, name: &'a str) -> Eventually<'a, u64>;

        /// The copy of a file's record that lies beside it.
        ///
        /// # Errors
        /// `Storage`.
        fn copy<'a>(&'a self, name: &'a str) -> Eventually<'a, Option<String>>;

        /// Writes this copy, or removes it.
        ///
        /// # Errors
        /// `QuotaExceeded`, `Storage`.
        fn set_copy<'a>(&'a self, name: &'a str, text: Option<&'a str>) -> Eventually<'a, ()>;

        /// The names of all files.
        ///
        /// # Errors
        /// `Storage`.
        fn names(&self) -> Eventually<'_, Vec<String>>;

        /// A whole file, for the page.
        ///
        /// # Errors
        /// `NotStored`, `Storage`.
        fn blob<'a>(&'a self, name: &'a str, len_bytes: u64) -> Eventually<'a, Blob>;
    }

    /// An open file.
    pub trait StoredFile {
        /// Reads exactly so many bytes.
        ///
        /// # Errors
        /// `FileUnreadable` where the file has fewer, `Storage`.
        fn read_at<'a>(&'a self, offset_bytes: u64, into: &'a mut [u8]) -> Eventually<'a, ()>;

        /// Writes [`Store::write_bytes`], or less at the end of the file. They are on the disk then.
        ///
        /// # Errors
        /// `QuotaExceeded`, `Storage`.
        fn write_at<'a>(&'a self, offset_bytes: u64, bytes: &'a [u8]) -> Eventually<'a, ()>;
    }
}

#[cfg(target_arch = "wasm32")]
use crate::{browser::Exception, error::WorkerError};

/// What an exception of the store named `name` means.
#[cfg(target_arch = "wasm32")]
fn failed(name: &str, error: Exception) -> WorkerError {
    match error.name.as_str() {
        "QuotaExceededError" => WorkerError::QuotaExceeded { why: error.message, could_delete: Vec::new() },
        "NotFoundError" => WorkerError::NotStored { name: name.into() },
        // Another access handle is open.
        "NoModificationAllowedError" => WorkerError::InUse { name: name.into() },
        _ => WorkerError::Storage { name: name.into(), why: error.to_string() },
    }
}
