//! Seed-OSS: the norm of the feed-forward part is called after attention.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "seed_oss", ffn_norm: "post_attention_norm", ..BASE };
