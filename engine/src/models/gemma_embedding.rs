//! EmbeddingGemma: Gemma 3 that looks both ways.

use super::arch::{Arch, BASE};
use crate::plan::Act;

pub const ARCH: Arch = Arch {
    name: "gemma-embedding",
    act: Act::Gelu,
    embd_scale_sqrt: true,
    global_every: Some(6),
    local_rope_base: Some(10_000.0),
    causal: false,
    keys: &["attention.sliding_window"],
    ..BASE
};
