//! Tokenizers against llama.cpp and SentencePiece, and on hostile input.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cases;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../examples/conformance/mod.rs"]
mod conformance;
mod hostile;
mod presets;
mod slow;
mod unigram;
mod vocabularies;
