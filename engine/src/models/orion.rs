//! Orion: a Llama with norms around the mean, whose heads rotate in halves.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "orion", tensors: &["output.weight"], ..BASE };
