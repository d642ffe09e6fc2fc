//! Phi 3: the gate of the feed-forward part is fused; the file carries factors for long contexts.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "phi3", fused_gate: true, ..BASE };
