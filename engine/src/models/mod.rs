//! Architectures. A GGUF file says nearly everything itself: which tensors exist, their shapes, the keys. What is left
//! are 0 to 5 facts per architecture, one small file each; `facts` reads the rest from the file.

mod adapter;
mod arch;
mod bert;
mod cohere2;
mod command_r;
mod ernie4_5;
mod error;
mod exaone4;
mod facts;
mod falcon;
mod falcon_h1;
mod gemma;
mod gemma2;
mod gemma3;
mod gemma4;
mod gemma_embedding;
mod glm4;
mod gpt2;
mod gptneox;
mod granite;
mod granitehybrid;
mod granitemoe;
mod hunyuan_dense;
mod internlm2;
mod keys;
mod layers;
mod lfm2;
mod llama;
mod mistral3;
mod mixers;
mod nomic_bert;
mod olmo2;
mod olmoe;
mod phi2;
mod phi3;
mod phimoe;
mod qwen2;
mod qwen2moe;
mod qwen3;
mod qwen35;
mod qwen3moe;
mod rope;
mod seed_oss;
mod smollm3;
mod spec;
mod stablelm;
mod starcoder2;
mod tensors;
mod whole;

pub use adapter::{Adapter, Pair};
pub use arch::{Act, Arch, Parallel, RopePairs};
pub use error::ModelError;
pub use facts::read;
pub use layers::HEAD_LEN_MAX;
pub use rope::{Divisors, Rope};
pub use spec::{
    Attention, Experts, Ffn, GatedDelta, Layer, LayerInput, LayerInputs, Mamba2, Matrix, Mixer, ModelSpec,
    Norm, NormKind, NormOver, Pooling, SharedExpert, ShortConv, Temperature, Vector,
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
    &phimoe::ARCH,
    &granitemoe::ARCH,
    &qwen2moe::ARCH,
    &falcon_h1::ARCH,
    &phi2::ARCH,
    &falcon::ARCH,
    &ernie4_5::ARCH,
    &hunyuan_dense::ARCH,
    &seed_oss::ARCH,
    &exaone4::ARCH,
    &glm4::ARCH,
    &internlm2::ARCH,
    &cohere2::ARCH,
    &command_r::ARCH,
    &gemma::ARCH,
    &stablelm::ARCH,
    &olmoe::ARCH,
];
