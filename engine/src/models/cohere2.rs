//! Command R7B: both parts read one norm; three of four layers have a window, and only those rotate.

use super::arch::{Arch, BASE, Parallel};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "cohere2",
    rope: RopePairs::Adjacent,
    parallel: Parallel::Always,
    global_every: Some(4),
    local_rope_only: true,
    logits_times_scale: true,
    keys: &["attention.sliding_window", "logit_scale"],
    ..BASE
};
