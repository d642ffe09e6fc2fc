//! MiniCPM: factors of embeddings, residuals and logits.

use super::arch::{Arch, BASE};
use crate::gguf::Value;
use crate::plan::RopePairs;

pub const ARCH: Arch = Arch {
    name: "minicpm",
    rope: RopePairs::Adjacent,
    // Converters used to leave these out, of models that were made by 12, by 1.4 and at a width of 256.
    defaults: &[
        ("embedding_scale", |_, _| Value::F32(12.0)),
        ("residual_scale", |_, layers| Value::F32(1.4 / (layers as f32).sqrt())),
        ("logit_scale", |hidden_size, _| Value::F32(hidden_size as f32 / 256.0)),
    ],
    ..BASE
};
