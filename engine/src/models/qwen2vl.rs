//! The text part of Qwen 2 VL: between texts its positions for images are those of a text.

use super::arch::{Arch, BASE};

// llama.cpp loads the bias and leaves it out of the product.
pub const ARCH: Arch = Arch { name: "qwen2vl", unused: &["output.bias"], ..BASE };
