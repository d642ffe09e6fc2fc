//! The Pith inference engine: bytes in, tokens and vectors out.
//!
//! No DOM, no network, no clock; of the browser it knows the GPU. Builds natively and for wasm32.

/// The text of a shader without its comments, as `build.rs` wrote it.
macro_rules! bare {
    ($path:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $path))
    };
}
pub(crate) use bare;

pub mod backend;
pub mod chat;
pub mod constraint;
pub mod formats;
pub mod gguf;
pub mod kernels;
pub mod models;
pub mod plan;
pub mod planner;
pub mod runtime;
pub mod sampler;
pub mod shaders;
mod simd;
pub mod tokenizer;
pub mod writer;

pub use pith_digest as digest;
