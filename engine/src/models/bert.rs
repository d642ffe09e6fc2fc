//! BERT and its sentence-embedding relatives: learned positions, GELU, attention to both sides.

use super::arch::{Arch, BASE};
use crate::plan::{Act, RopePairs};

pub const ARCH: Arch = Arch {
    name: "bert",
    rope: RopePairs::None,
    act: Act::Gelu,
    causal: false,
    text_tokens: Some(256),
    // Of rerankers and classifiers.
    unused: &["cls.weight", "cls.bias", "cls.output.weight", "cls.output.bias"],
    made_up: true,
    ..BASE
};
