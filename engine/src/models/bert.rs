//! BERT and its sentence-embedding relatives: learned positions, GELU; the file says that attention is bidirectional.

use super::arch::{Act, Arch, BASE, RopePairs};

pub const ARCH: Arch = Arch { name: "bert", rope: RopePairs::None, act: Act::Gelu, ..BASE };
