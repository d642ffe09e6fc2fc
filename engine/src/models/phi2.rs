//! Phi 2: GELU, both parts read one norm.

use super::arch::{Arch, BASE, Parallel};
use crate::plan::Act;

pub const ARCH: Arch = Arch {
    name: "phi2",
    act: Act::Gelu,
    parallel: Parallel::Always,
    keys: &["rope.dimension_count"],
    tensors: &["output.weight", "output.bias"],
    ..BASE
};
