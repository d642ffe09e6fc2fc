//! Formats, kernels and sampling: each against its CPU version.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/devices.rs"]
mod devices;
mod formats;
mod fragments;
mod kernels;
#[path = "../probes/mod.rs"]
mod probes;
mod sampler;
mod shader_variants;
mod steps;
mod tuning;
