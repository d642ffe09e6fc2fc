//! Models: where they come from, where they run, what they are.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

/// Where a model's bytes come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ModelSource {
    /// A file shipped beside the worker, read in place.
    Packaged { url: String },
    /// Downloaded into the store once, then read from there.
    Url { url: String },
    /// A file that the user picked; it travels as the message's `file`.
    File,
}

/// Which executor to use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum BackendChoice {
    /// WebGPU on a hardware adapter that passes its self-check, else the CPU.
    #[default]
    Auto,
    /// WebGPU or an error.
    Webgpu,
    /// The CPU.
    Cpu,
}

/// A resident model.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ModelInfo {
    pub name: String,
    /// `general.name` of the file, or its architecture.
    pub title: String,
    pub architecture: String,
    /// True for a model that gives vectors, not text.
    pub encoder: bool,
    pub vocab: u32,
    pub context_tokens: u32,
    pub backend: BackendInfo,
    /// Bytes of weights where they live.
    pub weights_bytes: u64,
    pub kv_bytes: u64,
    pub load_ms: f64,
    /// How much the wasm heap grew while loading.
    pub heap_growth_bytes: u64,
    /// True where the model was made for conversations: its file has a chat template, or its vocabulary ChatML's tokens.
    pub chat: bool,
}

/// Which executor runs, on what, and why.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct BackendInfo {
    /// "webgpu" or "cpu".
    pub kind: String,
    /// The adapter's own words, or the instruction set.
    pub adapter: String,
    /// Why this one, as a sentence.
    pub reason: String,
}

/// A file in the store.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct StoredModel {
    pub name: String,
    pub bytes: u64,
}
