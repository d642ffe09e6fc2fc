//! SmolLM 3: every fourth layer does not rotate.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch { name: "smollm3", rope: RopePairs::Adjacent, unrotated_every: Some(4), ..BASE };
