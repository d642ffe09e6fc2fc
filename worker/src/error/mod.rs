//! What can go wrong, typed, and how the page is told.

mod catalogue;

#[cfg(not(target_arch = "wasm32"))]
pub use catalogue::markdown;
pub use catalogue::{CATALOGUE, Code, Entry};
