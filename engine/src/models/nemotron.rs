//! Nemotron: squared ReLU, half of a head rotates.

use super::arch::{Arch, BASE};
use crate::plan::Act;

pub const ARCH: Arch = Arch {
    name: "nemotron",
    act: Act::ReluSquared,
    keys: &["rope.dimension_count"],
    tensors: &["output.weight"],
    ..BASE
};
