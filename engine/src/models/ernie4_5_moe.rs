//! ERNIE 4.5 MoE: experts in some layers, biased for the choice, and one that every token uses.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "ernie4_5-moe",
    rope: RopePairs::Adjacent,
    // llama.cpp loads it and leaves it out of the product.
    unused: &["blk.*.attn_output.bias"],
    keys: &["interleave_moe_layer_step", "leading_dense_block_count"],
    ..BASE
};
