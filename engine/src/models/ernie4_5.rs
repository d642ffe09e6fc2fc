//! ERNIE 4.5: a Llama under another name.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch { name: "ernie4_5", rope: RopePairs::Adjacent, unused: UNUSED, ..BASE };

/// llama.cpp loads it and leaves it out of the product.
pub const UNUSED: &[&str] = &["blk.*.attn_output.bias"];
