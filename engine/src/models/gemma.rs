//! Gemma: GELU, scaled embeddings.

use super::arch::{Arch, BASE};
use crate::plan::Act;

pub const ARCH: Arch = Arch { name: "gemma", act: Act::Gelu, embd_scale_sqrt: true, ..BASE };
