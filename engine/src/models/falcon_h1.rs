//! Falcon-H1: Mamba-2 and attention side by side in every layer.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch {
    name: "falcon-h1",
    attention_beside: true,
    // llama.cpp loads both and uses neither.
    unused: &["blk.*.attn_output.bias", "rope_freqs.weight"],
    ..BASE
};
