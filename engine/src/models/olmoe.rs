//! OLMoE: experts whose weights are not scaled to a sum of 1.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "olmoe", expert_weights_norm: false, ..BASE };
