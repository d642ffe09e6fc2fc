//! Nomic Embed: an encoder with rotation.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "nomic-bert", ..BASE };
