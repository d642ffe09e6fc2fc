//! Models: where they come from, where they run, what they are.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use super::finite;
use super::tier::WriterTier;
use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

/// Where the bytes of a model or an adapter come from. Of a split model (`NAME-00001-of-00003.gguf`) any one address
/// is enough: those of its other files follow from the last part of its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ModelSource {
    /// A file shipped beside the worker, read in place.
    Packaged { url: String },
    /// Downloaded into the store once, then read from there.
    Url {
        url: String,
        /// SHA-256 in hexadecimal, of the file or of each of a split model's in order. What differs is refused.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        sha256: Vec<String>,
    },
    /// What the user picked; it travels as the message's `files`: one, or all those of a split model in any order.
    File,
    /// One that is stored already, by the name that `status` tells.
    Stored { name: String },
}

/// Which executor to use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum BackendChoice {
    /// WebGPU on a hardware GPU that passes its self-check, else WebGL2 on one that does, else the CPU.
    #[default]
    Auto,
    /// WebGPU or an error. After two losses of the device within a minute, and where it does not come back: WebGL2, else the CPU.
    Webgpu,
    /// WebGL2 or an error. After two losses of the context within a minute, and where it does not come back: the CPU.
    Webgl2,
    /// The CPU.
    Cpu,
}

/// Which adapter a request uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct LoraUse {
    /// As it was loaded.
    pub name: String,
    /// How strongly it acts: 1, the default, as it was trained, 0 not at all.
    #[serde(default = "whole", deserialize_with = "finite::number")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub scale: f32,
}

fn whole() -> f32 {
    1.0
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
    /// Bytes of weights where they live, adapters included.
    pub weights_bytes: u64,
    pub kv_bytes: u64,
    pub load_ms: f64,
    /// How much the wasm heap grew while loading.
    pub heap_growth_bytes: u64,
    /// True where the model was made for conversations: its file has a chat template, or its vocabulary ChatML's tokens.
    pub chat: bool,
    /// Names of its adapters.
    pub loras: Vec<String>,
    /// What it may write about pages; `null` before its test.
    pub tier: Option<WriterTier>,
}

/// Which executor runs, on what, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct BackendInfo {
    /// "webgpu", "webgl2" or "cpu".
    pub kind: String,
    /// The GPU's name as the browser tells it, or the instruction set.
    pub device: String,
    /// Why this one, as a sentence.
    pub reason: String,
}
