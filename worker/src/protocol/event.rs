//! What the worker posts: events of requests, and their results.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

use super::binary::{Blobs, Floats};
use super::model::{BackendInfo, ModelInfo};
use super::page::Passage;
use super::reading::{Answer, Summary};
use super::store::{Damage, Fit, MemoryReport, StoreInfo, StoredModel, UnknownFile};
use super::text::{FinishReason, GenerationStats, MessageDelta, ParsedMessage, TokenLogprobs};
use super::tuning::TuningReport;
use super::writing::{PreparedPrompt, WriterTest, WrittenLine};

/// What the worker posts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct EventMessage {
    /// [`PROTOCOL_VERSION`](super::PROTOCOL_VERSION).
    pub version: u32,
    /// The request that it belongs to.
    pub id: u32,
    /// What happened.
    pub event: Event,
}

/// What can happen to a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// How far it is. `total` is 0 while unknown.
    Progress {
        stage: Stage,
        done: u64,
        total: u64,
        /// Of a download: bytes a second, of late.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional))]
        bytes_per_s: Option<f64>,
        /// Of a download: until it is whole, or until the next attempt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional))]
        left_ms: Option<f64>,
    },
    /// Its turn has come: the worker does it, and nothing else that waits for models.
    Begun,
    /// A piece of text; never half a character. With the tokens since the last one, where log probabilities were asked
    /// for.
    Token {
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        logprobs: Vec<TokenLogprobs>,
        /// The text taken apart, where that was asked for. What may become a marker comes later.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        deltas: Vec<MessageDelta>,
    },
    /// A summary so far: first from the text alone, then with each line that is written. The one in `done` replaces it.
    Draft { summary: Summary },
    /// An answer so far: first the passages, then with each line that is written. The one in `done` replaces it.
    AnswerDraft { answer: Answer },
    /// It succeeded.
    Done { result: Outcome },
    /// It failed.
    Failed { error: Failure },
    /// The worker itself died (id 0). Every open request has failed; start a new worker.
    Fatal { error: Failure },
    /// The worker has begun (id 0). It holds this lock of the site as long as it lives.
    Alive { lock: String },
}

/// What takes time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    Queue,
    /// Another tab downloads the same file.
    Elsewhere,
    Download,
    /// `pause` holds the download.
    Paused,
    /// The connection failed; `leftMs` until the next attempt.
    Retry,
    /// Compares stored bytes with their hashes.
    Verify,
    /// The GPU was lost; the model is loaded again, and the request goes on.
    Recover,
    Load,
    Compile,
    Embed,
    /// The test of a model that is to write.
    Test,
    /// Tries shapes of kernels.
    Tune,
    Prefill,
    Decode,
}

/// Results by request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Outcome {
    /// Of `status`.
    Status {
        models: Vec<ModelInfo>,
        stored: Vec<StoredModel>,
        /// Files that are no model that is known: to be kept or deleted, as the user likes.
        unknown: Vec<UnknownFile>,
        store: StoreInfo,
        wasm_heap_bytes: u64,
        /// What `auto` chose; `null` until a model was loaded with it.
        backend: Option<BackendInfo>,
    },
    /// Of `load` and `loadAdapter`.
    Loaded { model: ModelInfo },
    /// Of `download`.
    Stored { model: StoredModel },
    /// Of `fit`.
    Fit { fit: Fit },
    /// Of `verify`: what is damaged, and not repaired.
    Verified { damaged: Vec<Damage>, repaired_bytes: u64 },
    /// Of `export`, in order.
    Files { names: Vec<String>, files: Blobs },
    /// Of `memory`.
    Memory { report: MemoryReport },
    /// Of `unload`, `delete`, `cancel`, `pause`, `resume`, `pin`, `configure` and `ping`.
    Ok,
    /// Of `embed`.
    Vectors { vectors: Vec<Floats> },
    /// Of `tokenize`.
    Ids { ids: Vec<u32> },
    /// Of `detokenize` and `applyTemplate`.
    Plain { text: String },
    /// Of `generate`.
    Text {
        /// What the model wrote, with the names of control tokens where it was taken apart.
        text: String,
        /// The text taken apart, where that was asked for.
        message: Option<ParsedMessage>,
        ids: Vec<u32>,
        /// One per id, where they were asked for.
        logprobs: Option<Vec<TokenLogprobs>>,
        finish_reason: FinishReason,
        stats: GenerationStats,
    },
    /// Of `summarize`. The handle stands for the page in later requests.
    Summary { summary: Summary, handle: String },
    /// Of `ask`.
    Answer { answer: Answer, handle: String },
    /// Of `suggestQuestions`.
    Questions { questions: Vec<String>, handle: String },
    /// Of `preparePrompt`.
    Prompt { prompt: PreparedPrompt, handle: String },
    /// Of `attribute`. `sources` of the lines are indices into the passages.
    Attributed { lines: Vec<WrittenLine>, passages: Vec<Passage>, handle: String },
    /// Of `testWriter`.
    WriterTest { test: WriterTest },
    /// Of `detectLanguage`: the most probable first, "und" last. The confidences sum to 1.
    Languages { languages: Vec<DetectedLanguage> },
    /// Of `tune`.
    Tuned { report: TuningReport },
    /// Of `evaluate`: `rows` rows of `cols` values.
    Logits { rows: u32, cols: u32, values: Floats },
}

/// A language that a text may be in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct DetectedLanguage {
    /// A primary subtag, such as "de".
    pub language: String,
    /// Estimated from the text's function words and script.
    pub confidence: f64,
}

/// An error as the page sees it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct Failure {
    /// Stable, snake_case. One of the error catalogue.
    #[cfg_attr(not(target_arch = "wasm32"), ts(type = "ErrorCode"))]
    pub code: String,
    /// A sentence for the user.
    pub message: String,
    /// What the user can do.
    pub help: String,
    /// Technical details for a report.
    pub detail: String,
    /// The HTTP status of a server's answer, if that answer is the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional))]
    pub status: Option<u16>,
}
