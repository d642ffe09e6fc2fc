//! Phi 3: the file carries everything, fused tensors and factors for long contexts included.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "phi3", ..BASE };
