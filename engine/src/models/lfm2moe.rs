//! LFM 2 with experts: a router of sigmoids, biased for the choice.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch {
    name: "lfm2moe",
    final_norm: "token_embd_norm",
    projections: super::lfm2::PROJECTIONS,
    keys: &["expert_gating_func"],
    ..BASE
};
