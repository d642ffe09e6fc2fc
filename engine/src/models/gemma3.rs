//! Gemma 3: GELU, scaled embeddings, five layers with a window to one without.

use super::arch::{Arch, BASE};
use crate::plan::Act;

pub const ARCH: Arch = Arch {
    name: "gemma3",
    act: Act::Gelu,
    embd_scale_sqrt: true,
    global_every: Some(6),
    local_rope_base: Some(10_000.0),
    keys: &["attention.sliding_window"],
    ..BASE
};
