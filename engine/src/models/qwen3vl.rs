//! The text part of Qwen 3 VL: between texts its positions for images are those of a text.

use super::arch::{Arch, BASE};

pub const ARCH: Arch = Arch { name: "qwen3vl", unused: &["cls.output.weight"], ..BASE };
