//! Qwen 3.5 MoE: Qwen 3.5 with experts, and one that every token uses, gated.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch {
    name: "qwen35moe",
    ffn_norm: "post_attention_norm",
    gated_heads: true,
    keys: &["rope.dimension_count"],
    tensors: &["blk.*.ffn_gate_inp_shexp.weight"],
    ..BASE
};
