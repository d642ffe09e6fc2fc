//! Gemma 2: GELU, scaled embeddings, a window in every other layer, capped scores and logits.

use super::arch::{Arch, BASE};
use crate::gguf::Value;
use crate::plan::Act;

pub const ARCH: Arch = Arch {
    name: "gemma2",
    act: Act::Gelu,
    embd_scale_sqrt: true,
    global_every: Some(2),
    // The first converter left these out.
    defaults: &[
        ("attention.sliding_window", |_, _| Value::U32(4096)),
        ("attn_logit_softcapping", |_, _| Value::F32(50.0)),
        ("final_logit_softcapping", |_, _| Value::F32(30.0)),
    ],
    ..BASE
};
