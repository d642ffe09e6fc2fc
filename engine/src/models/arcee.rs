//! Arcee: squared ReLU.

use super::arch::{Act, Arch, BASE, RopePairs};

pub const ARCH: Arch = Arch { name: "arcee", rope: RopePairs::Adjacent, act: Act::ReluSquared, ..BASE };
