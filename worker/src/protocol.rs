//! The messages between a page and the worker. TypeScript types are generated from these (web/src/protocol.gen.ts).
//!
//! Every request ends with exactly one `done` or `failed` event carrying its id. Before it come any number of
//! `progress`, `token` and `draft` events. A `fatal` event has id 0 and means that the worker is dead.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use serde::{Deserialize, Serialize, Serializer};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

/// Raised when a message changes shape. The worker refuses other versions with `protocol_version`.
pub const PROTOCOL_VERSION: u32 = 1;

/// What a page posts. A local file travels beside it, as the property `file` of the same message.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct RequestMessage {
    /// [`PROTOCOL_VERSION`].
    pub version: u32,
    /// Chosen by the page, unique among its open requests.
    pub id: u32,
    /// What is asked.
    pub request: Request,
}

/// What the worker can be asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Request {
    /// Which backend runs and why, what is loaded, what is stored.
    Status,
    /// Makes a model resident under `name`, replacing one of that name.
    Load {
        /// How later requests call it. The summariser uses "embedding" and "language".
        name: String,
        /// Where its bytes are.
        source: ModelSource,
        /// Which executor; `auto` decides by measurement and says why.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        backend: BackendChoice,
        /// Positions to reserve; the model's own limit or a default where absent.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        context_tokens: Option<u32>,
    },
    /// Frees a model.
    Unload { name: String },
    /// Unit-length vectors, one per text.
    Embed { model: String, texts: Vec<String> },
    /// Text to ids.
    Tokenize { model: String, text: String },
    /// Streams an answer as `token` events.
    Generate {
        model: String,
        prompt: Prompt,
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        sampling: Sampling,
        /// Stop after this many tokens.
        max_tokens: u32,
        /// Stop before any of these strings.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        stop: Vec<String>,
    },
    /// Key sentences of a page, each with its passage.
    Summarize {
        page: Page,
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        options: SummaryOptions,
    },
    /// The passages that answer a question best.
    Ask {
        page: Page,
        question: String,
        /// Most passages to return.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        limit: Option<u32>,
    },
    /// Logits of a prompt, for scoring and conformance: row `i` is the model's output after position `first + i`.
    /// For an encoder: the pooled vector, then one row per token.
    Evaluate {
        model: String,
        ids: Vec<u32>,
        /// First position whose row is wanted.
        first: u32,
        /// Ids fed one by one after the prompt, each giving one more row (the decode path).
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        decode: Vec<u32>,
    },
    /// Removes a downloaded file from the store. A model that is resident stays usable.
    Delete { name: String },
    /// Ends another request: it fails with `cancelled`.
    Cancel { target: u32 },
}

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

/// What a model is to continue.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Prompt {
    /// Through the model's chat template. Contents are encoded without parsing special tokens.
    Chat { messages: Vec<ChatMessage> },
    /// As it is, after the model's own leading token.
    Text { text: String },
    /// Token ids, nothing added.
    Ids { ids: Vec<u32> },
}

/// One turn of a conversation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct ChatMessage {
    /// "system", "user" or "assistant".
    pub role: String,
    /// Plain text.
    pub content: String,
}

/// How the next token is chosen. The defaults are greedy and repeatable.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(default, rename_all = "camelCase")]
pub struct Sampling {
    /// 0 is greedy.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub temperature: f32,
    /// 0 keeps all.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub top_k: u32,
    /// 0 or 1 keeps all.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub top_p: f32,
    /// 0 keeps all.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub min_p: f32,
    /// 0 or 1 is none.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub repetition_penalty: f32,
    /// Same seed, same text on the same device.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub seed: u32,
}

/// A page after extraction.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct Page {
    /// Its title.
    pub title: String,
    /// The author's own description, from its metadata.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub description: Option<String>,
    /// BCP 47 tag, where the page says one.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub language: Option<String>,
    /// Text blocks in page order.
    pub blocks: Vec<Block>,
}

/// One block of a page's text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its text, white space collapsed.
    pub text: String,
}

/// Kinds of blocks. Only paragraphs, list items and quotes are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum BlockKind {
    Heading,
    Paragraph,
    ListItem,
    Quote,
    Code,
    Table,
    Caption,
}

/// How long a summary should be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum SummaryLength {
    Short,
    #[default]
    Medium,
    Long,
}

/// Options of a summary.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(default, rename_all = "camelCase")]
pub struct SummaryOptions {
    /// 3, 5 or 8 lines.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub length: SummaryLength,
}

/// What the worker posts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct EventMessage {
    /// [`PROTOCOL_VERSION`].
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
    Progress { stage: Stage, done: u64, total: u64 },
    /// A piece of text; never half a character.
    Token { text: String },
    /// A first summary from the text alone, replaced by the one in `done`.
    Draft { summary: Summary },
    /// It succeeded.
    Done { result: Outcome },
    /// It failed.
    Failed { error: Failure },
    /// The worker itself died (id 0). Every open request has failed; start a new worker.
    Fatal { error: Failure },
}

/// What takes time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    Queue,
    Download,
    Load,
    Compile,
    Embed,
    Prefill,
    Decode,
}

/// Numbers that arrive as one `Float32Array` instead of an array of numbers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[cfg_attr(not(target_arch = "wasm32"), ts(type = "Float32Array"))]
pub struct Floats(pub Vec<f32>);

impl Serialize for Floats {
    #[cfg(target_arch = "wasm32")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let array = js_sys::Float32Array::from(self.0.as_slice());
        serde_wasm_bindgen::preserve::serialize(&array, serializer)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
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
        wasm_heap_bytes: u64,
        /// What `auto` chose; `null` until a model was loaded with it.
        backend: Option<BackendInfo>,
    },
    /// Of `load`.
    Loaded { model: ModelInfo },
    /// Of `unload`, `delete` and `cancel`.
    Ok,
    /// Of `embed`.
    Vectors { vectors: Vec<Floats> },
    /// Of `tokenize`.
    Ids { ids: Vec<u32> },
    /// Of `generate`.
    Text { text: String, ids: Vec<u32>, finish: Finish, stats: GenerationStats },
    /// Of `summarize`.
    Summary { summary: Summary },
    /// Of `ask`.
    Answer {
        /// Best first.
        passages: Vec<Passage>,
        /// False where even the best passage covers too little of the question: say that the page does not answer it.
        answered: bool,
        backend: Option<BackendInfo>,
        time_ms: f64,
    },
    /// Of `evaluate`: `rows` rows of `cols` values.
    Rows { rows: u32, cols: u32, values: Floats },
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

/// Why generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum Finish {
    Stop,
    Length,
    Context,
}

/// What a generation cost.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct GenerationStats {
    pub prompt_tokens: u32,
    pub tokens: u32,
    pub prefill_ms: f64,
    pub decode_ms: f64,
    /// Buffers, pipelines and bind groups created while generating. The plan makes it 0.
    pub objects_created: u32,
    pub dispatches_per_token: u32,
    pub submits_per_token: u32,
    pub readback_bytes_per_token: u32,
    pub heap_growth_bytes: u64,
}

/// A summary whose every line knows its source.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub title: String,
    /// The author's own description, shown first.
    pub description: Option<String>,
    /// Key sentences in page order.
    pub lines: Vec<Passage>,
    /// How the sentences were chosen: "text" or "text+embeddings".
    pub method: String,
    /// The executor, when a model took part.
    pub backend: Option<BackendInfo>,
    pub sentences: u32,
    pub words: u32,
    pub time_ms: f64,
}

/// A piece of the page's text. `page.blocks[block].text.slice(start, end)` in JavaScript is its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct Passage {
    pub text: String,
    /// Index into the page's blocks.
    pub block: u32,
    /// Start in the block's text, in UTF-16 code units.
    pub start: u32,
    /// End in the block's text, in UTF-16 code units.
    pub end: u32,
    pub score: f32,
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
}
