//! Gemma 2: GELU, scaled embeddings, a window in every other layer, capped scores and logits.

use super::arch::{Arch, BASE};
use crate::plan::Act;

pub const ARCH: Arch = Arch {
    name: "gemma2",
    act: Act::Gelu,
    embd_scale_sqrt: true,
    global_every: Some(2),
    keys: &["attention.sliding_window", "attn_logit_softcapping", "final_logit_softcapping"],
    ..BASE
};
