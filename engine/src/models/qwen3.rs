//! Qwen 3: the file carries everything, norms of q and k included.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "qwen3", unused: &["cls.output.weight"], made_up: true, ..BASE };
