//! Qwen 2 MoE: experts whose weights stay as they are among all, and one that every token uses, gated.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch {
    name: "qwen2moe",
    normalised_experts: false,
    tensors: &["output.weight", "blk.*.ffn_gate_inp_shexp.weight"],
    ..BASE
};
