//! Qwen 2: the file carries everything, biases of q, k and v included.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "qwen2", made_up: true, ..BASE };
