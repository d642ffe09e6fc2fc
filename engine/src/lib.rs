//! The Pith inference engine: bytes in, tokens and vectors out.
//!
//! No DOM, no network, no clock; of the browser it knows the GPU. Builds natively and for wasm32.

pub mod backend;
pub mod chat;
pub mod constraint;
pub mod gguf;
pub mod models;
pub mod planner;
pub mod runtime;
pub mod tokenizer;
pub mod writer;

pub use pith_compute::{FINGERPRINT, formats, kernels, plan, sampler, shaders};
pub use pith_digest as digest;
