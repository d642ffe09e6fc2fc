//! Falcon: GELU; both parts read one norm, or one each of the same input.

use super::arch::{Arch, BASE, Parallel};
use crate::plan::Act;

pub const ARCH: Arch = Arch { name: "falcon", act: Act::Gelu, parallel: Parallel::Always, ..BASE };
