//! Qwen 3 MoE: the file carries everything, experts included.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "qwen3moe", ..BASE };
