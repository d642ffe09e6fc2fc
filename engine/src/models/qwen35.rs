//! Qwen 3.5: gated delta nets and gated attention; the norm before the feed-forward part has another name.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch {
    name: "qwen35",
    ffn_norm: "post_attention_norm",
    gated_heads: true,
    projections: &[("cls.output", "embedding_length_out")],
    keys: &["rope.dimension_count"],
    ..BASE
};
