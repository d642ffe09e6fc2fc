//! Architectures. A GGUF file says nearly everything itself: which tensors exist, their shapes, the keys. What is left
//! are 0 to 5 facts per architecture, one small file each; `facts` reads the rest from the file.

mod adapter;
mod arch;
mod bert;
mod error;
mod facts;
mod gemma2;
mod gemma3;
mod gemma4;
mod gemma_embedding;
mod gpt2;
mod gptneox;
mod granite;
mod granitehybrid;
mod keys;
mod layers;
mod lfm2;
mod llama;
mod mistral3;
mod mixers;
mod nomic_bert;
mod olmo2;
mod phi3;
mod qwen2;
mod qwen3;
mod qwen35;
mod qwen3moe;
mod rope;
mod smollm3;
mod spec;
mod starcoder2;
mod tensors;
mod whole;

pub use adapter::{Adapter, Pair};
pub use arch::{Act, Arch, RopePairs};
pub use error::ModelError;
pub use facts::read;
pub use layers::HEAD_LEN_MAX;
pub use rope::{Divisors, Rope};
pub use spec::{
    Attention, Experts, Ffn, GatedDelta, Layer, LayerInput, LayerInputs, Mamba2, Matrix, Mixer, ModelSpec,
    Norm, NormKind, Pooling, ShortConv, Temperature, Vector,
};

/// Every architecture.
pub static ARCHS: &[&Arch] = &[
    &llama::ARCH,
    &qwen2::ARCH,
    &qwen3::ARCH,
    &gpt2::ARCH,
    &bert::ARCH,
    &mistral3::ARCH,
    &granite::ARCH,
    &smollm3::ARCH,
    &olmo2::ARCH,
    &phi3::ARCH,
    &gemma2::ARCH,
    &gemma3::ARCH,
    &gemma_embedding::ARCH,
    &gptneox::ARCH,
    &starcoder2::ARCH,
    &nomic_bert::ARCH,
    &qwen3moe::ARCH,
    &qwen35::ARCH,
    &gemma4::ARCH,
    &lfm2::ARCH,
    &granitehybrid::ARCH,
];
