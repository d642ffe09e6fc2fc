//! Mistral 3 and Ministral 3: rotation of adjacent lanes; the file says how it is stretched.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch { name: "mistral3", rope: RopePairs::Adjacent, ..BASE };
