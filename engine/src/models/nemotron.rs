//! Nemotron: squared ReLU, half of a head rotates.

use super::arch::{Act, Arch, BASE};

pub const ARCH: Arch = Arch {
    name: "nemotron",
    act: Act::ReluSquared,
    keys: &["rope.dimension_count"],
    tensors: &["output.weight"],
    ..BASE
};
