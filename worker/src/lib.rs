//! The dedicated Web Worker: protocol, storage, model residency.

pub mod error;
pub mod protocol;
#[cfg(not(target_arch = "wasm32"))]
pub mod typescript;
