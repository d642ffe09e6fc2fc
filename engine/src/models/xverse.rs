//! XVERSE: a Llama under another name.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch =
    Arch { name: "xverse", rope: RopePairs::Adjacent, tensors: &["output.weight"], ..BASE };
