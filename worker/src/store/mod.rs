//! Downloaded models. A file counts as stored only when it is whole: a download is written under a `.part` name and
//! renamed at its end, so that one that was interrupted never looks like a model.

mod name;
#[cfg(target_arch = "wasm32")]
mod note;
#[cfg(target_arch = "wasm32")]
mod opfs;

pub use name::{PART_SUFFIX, Remote, names_of_model, remotes};
#[cfg(target_arch = "wasm32")]
pub use note::{read_note, write_note};
#[cfg(target_arch = "wasm32")]
pub use opfs::{Part, Store};
