//! Incremental, bounded reader of GGUF headers.
//!
//! Feed bytes from the start of the file; the reader says how many more it needs. It never allocates by a number
//! from the file before comparing it with a limit and with the file's size.

mod check;
mod cursor;
mod directory;
mod error;
pub mod limits;
mod metadata;
mod reader;
mod splits;
mod tensors;
mod types;
mod values;

pub use check::check_metadata;
pub use error::GgufError;
pub use metadata::{Array, Metadata, Value};
pub use reader::{HeaderReader, Progress};
pub use splits::{PARTS_MAX, split_names};
pub use tensors::TensorInfo;
pub use types::{block_shape, type_name};

/// Everything before the tensor data.
#[derive(Debug, Clone)]
pub struct Header {
    /// GGUF version, 2 or 3.
    pub version: u32,
    /// Keys and values, in file order.
    pub metadata: Metadata,
    /// The tensor directory, in file order.
    pub tensors: Vec<TensorInfo>,
    /// `general.alignment`, a power of two; 32 when the key is absent.
    pub alignment_bytes: u64,
    /// Where the tensor data begins in the file.
    pub data_offset_bytes: u64,
    /// Files that it describes: 1, or all those of a split model after [`Header::join`].
    pub files: usize,
}

impl Header {
    /// The tensor called `name`.
    pub fn tensor(&self, name: &str) -> Option<&TensorInfo> {
        self.tensors.iter().find(|t| t.name == name)
    }
}
