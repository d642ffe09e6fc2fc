//! OLMo 2: the file carries everything, norms after the parts included.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "olmo2", row_norms: true, ..BASE };
