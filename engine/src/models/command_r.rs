//! Command R: both parts read one norm; the logits are scaled.

use super::arch::{Arch, BASE, Parallel};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "command-r",
    rope: RopePairs::Adjacent,
    parallel: Parallel::Always,
    logits_times_scale: true,
    keys: &["logit_scale"],
    ..BASE
};
