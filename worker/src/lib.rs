//! The dedicated Web Worker: protocol, storage, model residency.

pub mod protocol;
