//! MiniCPM: factors of embeddings, residuals and logits.

use super::arch::{Arch, BASE};
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "minicpm",
    rope: RopePairs::Adjacent,
    keys: &["embedding_scale", "residual_scale", "logit_scale"],
    ..BASE
};
