//! StableLM: without norms of their own, feed-forward parts read what attention reads.

use super::arch::{Arch, BASE, Parallel};

pub const ARCH: Arch = Arch {
    name: "stablelm",
    parallel: Parallel::WithoutNorm,
    keys: &["rope.dimension_count"],
    tensors: &["output.weight"],
    ..BASE
};
