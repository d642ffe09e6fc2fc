//! EXAONE 4: norms after both parts; in models with windows, only layers that have one rotate.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "exaone4", global_every: Some(4), local_rope_only: true, ..BASE };
