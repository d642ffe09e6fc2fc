//! Granite MoE: factors of embeddings, attention, residuals and logits.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "granitemoe",
    rope: RopePairs::Adjacent,
    keys: &["embedding_scale", "residual_scale", "logit_scale"],
    ..BASE
};
