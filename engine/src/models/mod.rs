//! Architectures. A GGUF file says nearly everything itself: which tensors exist, their shapes, the keys. What is left
//! are 0 to 5 facts per architecture, one small file each; `facts` reads the rest from the file.

mod arch;
mod attention;
mod blocks;
mod error;
mod facts;
mod ffn;
mod keys;
mod layers;
mod lora;
mod mixers;
mod rope;
mod spec;
mod tensors;
mod unused;
mod whole;

pub use arch::{Arch, Parallel};
pub use error::ModelError;
pub use facts::read;
pub use lora::{Lora, Pair};
pub use rope::{Divisors, Rope};
pub use spec::{
    Attention, Experts, Ffn, GatedDelta, Layer, LayerInput, LayerInputs, Mamba2, Mixer, ModelSpec, Norm,
    SharedExpert, ShortConv,
};

macro_rules! registry {
    ($($name:ident)*) => {
        $(mod $name;)*

        /// Every architecture.
        pub static ARCHS: &[&Arch] = &[$(&$name::ARCH),*];
    };
}

registry! {
    llama
    qwen2
    qwen3
    gpt2
    bert
    mistral3
    granite
    smollm3
    olmo2
    phi3
    gemma2
    gemma3
    gemma_embedding
    gptneox
    starcoder2
    nomic_bert
    qwen3moe
    qwen35
    gemma4
    lfm2
    granitehybrid
    gpt_oss
    ernie4_5_moe
    qwen35moe
    deepseek
    lfm2moe
    orion
    xverse
    starcoder
    arcee
    nemotron
    chatglm
    exaone
    minicpm
    qwen3vl
    qwen2vl
    phimoe
    granitemoe
    qwen2moe
    falcon_h1
    phi2
    falcon
    ernie4_5
    hunyuan_dense
    seed_oss
    exaone4
    glm4
    internlm2
    cohere2
    command_r
    gemma
    stablelm
    olmoe
}

/// The architecture that files call `name`.
pub fn arch(name: &str) -> Option<&'static Arch> {
    ARCHS.iter().copied().find(|arch| arch.name == name)
}
