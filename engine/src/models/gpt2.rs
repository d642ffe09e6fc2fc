//! GPT-2: learned positions instead of rotation, GELU.

use super::arch::{Arch, BASE};
use crate::plan::{Act, RopePairs};

pub const ARCH: Arch = Arch { name: "gpt2", rope: RopePairs::None, act: Act::Gelu, made_up: true, ..BASE };
