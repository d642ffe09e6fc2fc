//! EXAONE 3: a Llama whose heads rotate in halves.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "exaone", ..BASE };
