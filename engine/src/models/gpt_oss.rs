//! gpt-oss: a window in every other layer, attention sinks, experts with biases and a bounded gate.

use super::arch::{Arch, BASE};
use crate::plan::Act;

pub const ARCH: Arch = Arch {
    name: "gpt-oss",
    act: Act::BoundedSilu,
    global_every: Some(2),
    ffn_norm: "post_attention_norm",
    keys: &["attention.sliding_window", "rope.scaling.original_context_length"],
    tensors: &[
        "output.weight",
        "blk.*.attn_sinks.weight",
        "blk.*.attn_output.bias",
        "blk.*.ffn_gate_inp.bias",
        "blk.*.ffn_gate_exps.bias",
        "blk.*.ffn_up_exps.bias",
        "blk.*.ffn_down_exps.bias",
    ],
    ..BASE
};
