//! ChatGLM: gate and up in one matrix, half of a head rotates.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "chatglm",
    rope: RopePairs::Adjacent,
    fused_gate: true,
    keys: &["rope.dimension_count"],
    ..BASE
};
