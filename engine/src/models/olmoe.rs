//! OLMoE: a mixture of experts whose weights stay as they are among all, norms over whole rows of queries and keys.

use super::arch::{Arch, BASE};

pub const ARCH: Arch =
    Arch { name: "olmoe", row_norms: true, normalised_experts: false, tensors: &["output.weight"], ..BASE };
