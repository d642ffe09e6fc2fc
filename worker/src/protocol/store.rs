//! Downloads, what is stored, what fits, what is resident.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

use super::{BackendInfo, CacheType};

/// A model or an adapter in the store, whole or on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct StoredModel {
    /// What `delete` and the source `stored` take; of a split model the name of its first file.
    pub name: String,
    /// Its own name, once its header was read.
    pub title: Option<String>,
    /// Where it came from; `null` for a local file that was kept.
    pub url: Option<String>,
    /// Of all its files that are there.
    pub bytes: u64,
    /// Of all its files; `null` while a server has not said it.
    pub total_bytes: Option<u64>,
    /// Files that it consists of.
    pub files: u32,
    /// True where every byte of every file is there. The next download continues what is not whole.
    pub whole: bool,
    /// SHA-256 of each file in hexadecimal; `null` for those that are not whole.
    pub sha256: Vec<Option<String>>,
    /// Never proposed for deletion.
    pub pinned: bool,
    /// When it was last used, in milliseconds since 1970.
    pub last_used_ms: f64,
}

/// A stored file of which nobody knows what it is: its record is damaged, or of a newer version. It stays until `delete`
/// is asked to remove it by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct UnknownFile {
    pub name: String,
    /// What it takes, at most.
    pub bytes: u64,
    /// Why nobody knows.
    pub why: String,
}

/// Where files are stored, and how much more can be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct StoreInfo {
    pub kind: StoreKind,
    /// What the site has stored; `null` where the browser does not tell.
    pub used_bytes: Option<u64>,
    /// What it may still store, as the browser estimates.
    pub free_bytes: Option<u64>,
    /// True where the browser promised not to delete it by itself.
    pub persisted: bool,
    /// What kept prompts take.
    pub prompt_bytes: u64,
}

/// A place for files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum StoreKind {
    /// The first of the others that works.
    #[default]
    Auto,
    /// The origin private file system.
    Opfs,
    /// Records in IndexedDB.
    IndexedDb,
    /// The worker's memory: gone with the worker.
    Memory,
}

/// What `configure` changes; what is absent stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(not(target_arch = "wasm32"), ts(optional_fields = nullable))]
pub struct Settings {
    /// Where files are stored from now on.
    pub store: Option<StoreKind>,
    /// Models leave the memory when none was used for so long, and come back with the next request; 0 keeps them.
    pub idle_ms: Option<u32>,
    /// What all models together may take; 0 leaves it to what the device and the browser say.
    pub memory_bytes: Option<u64>,
    /// A connection that is silent for so long is taken for dead.
    pub stall_ms: Option<u32>,
    /// Threads that the CPU computes with, of models that are loaded from now on, up to 8; 0, the default, takes as many as help. More
    /// than one needs a page that is cross-origin isolated.
    pub threads: Option<u32>,
    /// What kept prompts may take on the disk, 512 MiB unless it is said. Those that were not used for longest go first; 0 deletes
    /// all and keeps none.
    pub prompt_bytes: Option<u64>,
    /// Whether shapes of kernels are tried on models that are loaded from now on, when nothing else is to be done. Where absent, on GPUs
    /// that are not emulated.
    pub tune: Option<bool>,
}

/// What a model takes in memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct MemoryUse {
    pub weights_bytes: u64,
    /// Keys, values, and states of recurrent layers.
    pub kv_bytes: u64,
    /// Activations, tables, what is read back.
    pub scratch_bytes: u64,
}

/// Whether a model fits, before its weights are downloaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Fit {
    pub verdict: Verdict,
    /// Why, as a sentence for the user.
    pub reason: String,
    pub title: String,
    pub architecture: String,
    /// Whether it gives vectors, not text.
    pub encoder: bool,
    /// As it was asked for.
    pub context_tokens: u32,
    pub cache_type: CacheType,
    /// What it would take so.
    pub need: MemoryUse,
    /// What it may take.
    pub budget_bytes: u64,
    /// Where that figure comes from, as a sentence.
    pub budget_reason: String,
    /// The largest that fits, where less than what was asked for does.
    pub suggestion: Option<Suggestion>,
    /// Where it would run.
    pub backend: BackendInfo,
    /// Of all files.
    pub file_bytes: u64,
    /// Still to be fetched.
    pub download_bytes: u64,
    /// What may still be stored; `null` where the browser does not tell, or nothing has to be stored.
    pub free_bytes: Option<u64>,
    /// Stored models whose deletion would make room, those first that were not used for longest. Empty where there is
    /// room, or none can be made.
    pub could_delete: Vec<String>,
}

/// An answer to "does it fit?".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    Fits,
    /// With less context or smaller keys and values: see `suggestion`.
    FitsSmaller,
    /// Into memory.
    TooLarge,
    /// There is no room to store it.
    NoRoom,
}

/// A context that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    pub context_tokens: u32,
    pub cache_type: CacheType,
    pub need: MemoryUse,
}

/// What is resident where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct MemoryReport {
    pub models: Vec<ModelMemory>,
    /// Buffers through which weights pass.
    pub staging_bytes: u64,
    /// The wasm memory, with the models that run on the CPU in it. It never shrinks.
    pub wasm_heap_bytes: u64,
    /// Models that left the memory and come back with the next request for them.
    pub idle: Vec<String>,
}

/// A resident model's part of the memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ModelMemory {
    pub name: String,
    /// "webgpu", "webgl2" or "cpu".
    pub kind: String,
    /// As counted where it was allocated.
    pub memory: MemoryUse,
}

/// What is wrong with a stored file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Damage {
    /// The file's name in the store.
    pub file: String,
    pub offset_bytes: u64,
    pub len_bytes: u64,
}
