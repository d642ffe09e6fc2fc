//! The Pith inference engine: bytes in, tokens and vectors out.
//!
//! No DOM, no network, no clock. Builds natively and for wasm32.

pub mod digest;
pub mod gguf;
