//! DeepSeek (the first): experts whose weights stay as they are among all, and one that every token uses.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "deepseek",
    rope: RopePairs::Adjacent,
    normalised_experts: false,
    keys: &["leading_dense_block_count", "expert_shared_count"],
    ..BASE
};
