//! LFM 2: short convolutions and attention, which has a window wherever the file names one; the last norm has the name of
//! another.

use super::arch::{Arch, BASE, NEVER};

pub const ARCH: Arch = Arch {
    name: "lfm2",
    global_every: Some(NEVER),
    final_norm: "token_embd_norm",
    projections: PROJECTIONS,
    ..BASE
};

/// As the ColBERT variant has it.
pub const PROJECTIONS: &[(&str, &str)] = &[("dense_2", "embedding_length_out")];
