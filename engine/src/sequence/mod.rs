//! A resident model and the sequences that run on it: loading piece by piece, prefill in slices, one token at a time.

mod error;
mod load;
mod model;
mod pages;
mod probe;
mod upload;

pub use error::Error;
pub use load::{Attaching, LoadOptions, Loading};
pub use model::{AdapterId, AdapterUse, Choice, Model, ModelInfo, Sequence};
pub use probe::Probe;
