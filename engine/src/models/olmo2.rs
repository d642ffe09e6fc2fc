//! OLMo 2 and 3: the file carries everything, norms after the parts included. OLMo 3 has a window in three of four layers,
//! where the rotation is not stretched.

use super::arch::{Arch, BASE};

pub const ARCH: Arch =
    Arch { name: "olmo2", global_every: Some(4), local_unstretched: true, row_norms: true, ..BASE };
