//! LFM 2 with experts: a router of sigmoids, biased for the choice.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch {
    name: "lfm2moe",
    final_norm: "token_embd_norm",
    projections: &[("dense_2", "embedding_length_out")],
    keys: &["expert_gating_func"],
    ..BASE
};
