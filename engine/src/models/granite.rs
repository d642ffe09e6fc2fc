//! Granite: rotation of adjacent lanes; the file carries its multipliers.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "granite",
    rope: RopePairs::Adjacent,
    keys: &["attention.scale", "embedding_scale", "residual_scale", "logit_scale"],
    ..BASE
};
