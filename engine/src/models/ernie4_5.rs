//! ERNIE 4.5: a Llama under another name.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

// llama.cpp loads the bias and leaves it out of the product.
pub const ARCH: Arch =
    Arch { name: "ernie4_5", rope: RopePairs::Adjacent, unused: &["blk.*.attn_output.bias"], ..BASE };
