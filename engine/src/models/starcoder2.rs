//! StarCoder 2: GELU.

use super::arch::{Act, Arch, BASE};

pub const ARCH: Arch = Arch { name: "starcoder2", act: Act::Gelu, ..BASE };
