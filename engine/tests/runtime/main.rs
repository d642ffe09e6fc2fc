//! Generation: in slices, frames and batches, side by side, from kept pages.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/architectures.rs"]
mod architectures;
mod batches;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/devices.rs"]
mod devices;
#[path = "../../examples/conformance/files.rs"]
#[allow(dead_code)] // Not all of it is needed here.
mod files;
mod generation;
mod kept_pages;
#[path = "../common/one_by_one.rs"]
mod one_by_one;
mod recurrent;
mod reuse;
mod together;
mod writer;
