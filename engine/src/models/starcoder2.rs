//! StarCoder 2: GELU.

use super::arch::{Arch, BASE};
use crate::plan::Act;

pub const ARCH: Arch = Arch { name: "starcoder2", act: Act::Gelu, ..BASE };
