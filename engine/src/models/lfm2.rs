//! LFM 2: short convolutions and attention; the last norm has the name of another.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "lfm2", final_norm: "token_embd_norm", ..BASE };
