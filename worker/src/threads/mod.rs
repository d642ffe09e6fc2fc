//! A thread pool for the CPU backend: workers that share the rows of matrices with this one. They need shared memory, which
//! browsers allow on cross-origin isolated pages only.

#[cfg(target_arch = "wasm32")]
mod channel;
#[cfg(target_arch = "wasm32")]
mod serve;
#[cfg(target_arch = "wasm32")]
mod shared;
#[cfg(target_arch = "wasm32")]
mod spawn;
mod spin;

#[cfg(target_arch = "wasm32")]
pub use spawn::{end_threads, pool, requested_threads, set_threads, spawn_with};
