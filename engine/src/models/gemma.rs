//! Gemma: GELU, scaled embeddings.

use super::arch::{Act, Arch, BASE};

pub const ARCH: Arch = Arch { name: "gemma", act: Act::Gelu, embd_scale_sqrt: true, ..BASE };
