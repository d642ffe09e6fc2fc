//! Nomic Embed: an encoder, which looks both ways, with rotation.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch {
    name: "nomic-bert",
    causal: false,
    // llama.cpp loads both and leaves them out of the products.
    unused: &["blk.*.ffn_up.bias", "blk.*.ffn_down.bias"],
    ..BASE
};
