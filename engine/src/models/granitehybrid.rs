//! Granite 4 hybrid: Mamba-2 and attention; the file says which and with what multipliers.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "granitehybrid",
    rope: RopePairs::Adjacent,
    keys: &["attention.scale", "embedding_scale", "residual_scale", "logit_scale", "rope.scaling.finetuned"],
    ..BASE
};
