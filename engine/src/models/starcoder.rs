//! StarCoder: learned positions, GELU.

use super::arch::{Arch, BASE};
use crate::plan::{Act, RopePairs};

pub const ARCH: Arch = Arch {
    name: "starcoder",
    rope: RopePairs::None,
    act: Act::Gelu,
    tensors: &["blk.*.attn_qkv.bias", "blk.*.attn_output.bias", "blk.*.ffn_up.bias", "blk.*.ffn_down.bias"],
    ..BASE
};
