//! Workers beside this one that share the rows of matrices on the CPU. They share memory with it, which browsers allow on
//! cross-origin isolated pages only.

#[cfg(target_arch = "wasm32")]
mod hire;
#[cfg(target_arch = "wasm32")]
mod line;
mod patience;
#[cfg(target_arch = "wasm32")]
mod serve;
#[cfg(target_arch = "wasm32")]
mod shared;

#[cfg(target_arch = "wasm32")]
pub use hire::{ask_threads, asked_threads, crew, dismiss, hire_with};
