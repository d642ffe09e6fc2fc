//! Architectures. A GGUF file says nearly everything itself: which tensors exist, their shapes, the keys. What is left
//! are 0 to 5 facts per architecture, one small file each; `facts` reads the rest from the file.

mod arch;
mod bert;
mod error;
mod facts;
mod gpt2;
mod llama;
mod qwen2;
mod qwen3;
mod rope;
mod spec;
mod tensors;

pub use arch::{Act, Arch, RopePairs};
pub use error::ModelError;
pub use facts::{HEAD_LEN_MAX, read};
pub use rope::Rope;
pub use spec::{Attention, Ffn, Layer, Matrix, ModelSpec, Norm, NormKind, Pooling, Vector};

/// Every architecture.
pub static ARCHS: &[&Arch] = &[&llama::ARCH, &qwen2::ARCH, &qwen3::ARCH, &gpt2::ARCH, &bert::ARCH];
