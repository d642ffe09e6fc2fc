//! Llama and its many relatives: rotation of adjacent lanes.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch { name: "llama", rope: RopePairs::Adjacent, made_up: true, ..BASE };
