//! Phi 3.5 MoE: two sets of rotation factors, biases everywhere.

use super::arch::{Arch, BASE};

pub const ARCH: Arch =
    Arch { name: "phimoe", tensors: &["output.weight", "output.bias", "blk.*.attn_output.bias"], ..BASE };
