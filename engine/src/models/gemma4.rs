//! Gemma 4: as Gemma 3, with inputs for every layer, normalised values and unscaled scores.

use super::arch::{Arch, BASE};
use crate::plan::Act;

pub const ARCH: Arch = Arch {
    name: "gemma4",
    act: Act::Gelu,
    embd_scale_sqrt: true,
    local_rope_base: Some(10_000.0),
    attn_scale: Some(1.0),
    value_norm: true,
    keys: &[
        "attention.sliding_window",
        "attention.sliding_window_pattern",
        "embedding_length_per_layer_input",
        "final_logit_softcapping",
    ],
    tensors: &["rope_freqs.weight"],
    ..BASE
};
