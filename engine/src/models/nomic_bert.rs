//! Nomic Embed: an encoder, which looks both ways, with rotation.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "nomic-bert", causal: false, ..BASE };
