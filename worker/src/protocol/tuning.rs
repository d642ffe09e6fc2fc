//! What trying shapes of kernels came to.

use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

/// Shapes of kernels that were tried on a model's matrices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct TuningReport {
    /// The GPU.
    pub device: String,
    /// What it copies from buffer to buffer, each byte counted for reading and for writing; `null` where kernels have one shape.
    pub copy_bytes_per_s: Option<f64>,
    /// Empty where kernels have one shape.
    pub choices: Vec<TunedChoice>,
}

/// Shapes that differ in one respect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct TunedChoice {
    /// The kernel: "linear" or "attend".
    pub kernel: String,
    /// The first one is that of the model as it is loaded.
    pub shapes: Vec<TunedShape>,
    /// Index of the shape that later loads use.
    pub fastest: u32,
}

/// A shape and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct TunedShape {
    pub name: String,
    /// Empty where it does not compile on this GPU.
    pub times: Vec<TunedTime>,
}

/// What a part of the model's steps took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct TunedTime {
    /// In one run: a slice of a prompt, or 1.
    pub tokens: u32,
    /// The least of several measurements.
    pub ms: f64,
    /// Of weights that were read.
    pub weight_bytes: u64,
    /// Multiplications and additions.
    pub operations: u64,
}
