//! Arcee: squared ReLU.

use super::arch::{Arch, BASE};
use crate::plan::{Act, RopePairs};

pub const ARCH: Arch = Arch { name: "arcee", rope: RopePairs::Adjacent, act: Act::ReluSquared, ..BASE };
