//! Whole models: logits and texts against llama.cpp, what a token costs, memory, threads.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/architectures.rs"]
mod architectures;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../examples/conformance/mod.rs"]
mod conformance;
mod counts;
#[path = "../common/devices.rs"]
mod devices;
mod logits;
mod memory;
mod oracle;
mod real_models;
mod threads;

use conformance::files;
