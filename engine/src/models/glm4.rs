//! GLM 4: norms before and after both parts, gate and up in one matrix.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "glm4",
    rope: RopePairs::Adjacent,
    fused_gate: true,
    keys: &["rope.dimension_count"],
    ..BASE
};
