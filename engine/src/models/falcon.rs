//! Falcon: GELU; both parts read one norm, or one each of the same input.

use super::arch::{Act, Arch, BASE, Parallel};

pub const ARCH: Arch = Arch { name: "falcon", act: Act::Gelu, parallel: Parallel::Always, ..BASE };
