//! Hunyuan: norms of queries and keys after the rotation.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "hunyuan-dense", norm_after_rope: true, ..BASE };
