//! LFM 2: short convolutions and attention, which has a window wherever the file names one; the last norm has the name of
//! another.

use super::arch::{Arch, BASE, NEVER};

pub const ARCH: Arch = Arch {
    name: "lfm2",
    global_every: Some(NEVER),
    final_norm: "token_embd_norm",
    // As the ColBERT variant has it.
    projections: &[("dense_2", "embedding_length_out")],
    ..BASE
};
