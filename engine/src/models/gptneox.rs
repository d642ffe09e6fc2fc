//! GPT-NeoX: GELU; the file says that both parts read the same input.

use super::arch::{Arch, BASE};
use crate::plan::Act;

pub const ARCH: Arch = Arch {
    name: "gptneox",
    act: Act::Gelu,
    keys: &["use_parallel_residual", "rope.dimension_count"],
    ..BASE
};
