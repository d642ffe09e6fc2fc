//! InternLM 2: a Llama under another name.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch =
    Arch { name: "internlm2", rope: RopePairs::Adjacent, tensors: &["output.weight"], ..BASE };
