//! The messages between a page and the worker. TypeScript types are generated from these (web/src/protocol.gen.ts).
//!
//! Every request ends with exactly one `done` or `failed` event carrying its id. Before it come any number of
//! `progress`, `begun`, `token`, `draft` and `answerDraft` events. A `fatal` event has id 0 and means that the worker is dead; an `alive`
//! event has id 0 and names the lock that the worker holds until then.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

mod binary;
mod cache;
mod event;
mod finite;
mod lists;
mod model;
mod page;
mod precision;
mod reading;
mod store;
mod text;
mod tier;
mod tuning;
mod writing;

pub use binary::{Blobs, Floats};
pub use cache::CacheType;
pub use event::{DetectedLanguage, Event, EventMessage, Failure, Outcome, Stage};
pub use model::{BackendChoice, BackendInfo, LoraUse, ModelInfo, ModelSource};
pub use page::{
    Block, BlockKind, ItemKind, LeftOut, Page, PageInput, Passage, PassagePart, SummaryLength, WithoutEncoder,
};
pub use precision::Precision;
pub use reading::{Answer, AnswerReason, Comments, KindCandidate, KindSign, Summary, SummaryOptions};
pub use store::{
    Damage, Fit, MemoryReport, MemoryUse, ModelMemory, Settings, StoreInfo, StoreKind, StoredModel,
    Suggestion, UnknownFile, Verdict,
};
#[cfg(not(target_arch = "wasm32"))]
pub use text::FormatShape;
pub use text::{
    ChatMessage, FinishReason, Format, GenerationStats, LocalTime, Logprob, MessageDelta, Overflow,
    ParsedMessage, Prompt, Sampling, Template, TokenLogprobs, ToolCall, ToolSpec,
};
pub use tier::WriterTier;
pub use tuning::{TunedChoice, TunedShape, TunedTime, TuningReport};
pub use writing::{
    Exchange, NotWritten, PreparedPrompt, PromptTask, Resume, ResumedGeneration, SummaryKind, Support,
    Unsupported, WriterTest, WriterTestLine, WrittenLine, WrittenText,
};

/// Raised when a message changes shape. The worker refuses other versions with `protocol_version`.
pub const PROTOCOL_VERSION: u32 = 11;

/// What a page posts. Local files travel beside it, as the property `files` of the same message, an array.
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
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
// In the module the variant's name stands outside (`start::named`): with the tag inside, serde keeps every value of a message first,
// with code for each type.
#[cfg_attr(not(target_arch = "wasm32"), serde(tag = "type"))]
pub enum Request {
    /// Which backend runs and why, what is loaded, what is stored.
    Status {},
    /// Makes a model resident under `name`, replacing one of that name.
    Load {
        /// How later requests call it. The summarizer uses "embedding" and "language".
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
        /// How keys and values are stored.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        cache_type: CacheType,
        /// How exact products with quantized weights are.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        precision: Precision,
        /// Loads what `fit` says is too large, too.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        force: bool,
        /// What it may write about pages, where that is known: then it is not tested.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        tier: Option<WriterTier>,
    },
    /// Whether a model fits into memory and store. Of one that is not stored only the header is fetched, and kept.
    Fit {
        source: ModelSource,
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        backend: BackendChoice,
        /// As of `load`.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        context_tokens: Option<u32>,
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        cache_type: CacheType,
    },
    /// Stores a model without loading it: from its address, continuing what was begun, or a local file. Other requests
    /// go on meanwhile. A download that is cancelled keeps what it has; `delete` throws it away.
    Download { source: ModelSource },
    /// Holds the traffic of a download or a load until `resume`.
    Pause { target: u32 },
    /// Goes on with what was paused.
    Resume { target: u32 },
    /// Reads a stored model whole and compares it with the hashes that were taken when it arrived.
    Verify {
        name: String,
        /// Fetches again what is damaged, and only that.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        repair: bool,
    },
    /// Keeps a stored model from being proposed for deletion, or no longer.
    Pin { name: String, pinned: bool },
    /// A stored model's files.
    Export { name: String },
    /// What is resident where.
    Memory {},
    /// Changes how the worker behaves.
    Configure { settings: Settings },
    /// Frees a model and its adapters.
    Unload { name: String },
    /// Gives a resident model a LoRA adapter under `name`, replacing one of that name. Requests say whether they use it.
    /// The memory of one that was replaced is freed with the model.
    LoadLora { model: String, name: String, source: ModelSource },
    /// Unit-length vectors, one per text.
    Embed {
        model: String,
        #[serde(deserialize_with = "lists::list")]
        texts: Vec<String>,
        /// None where absent.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        lora: Option<LoraUse>,
    },
    /// Text to ids.
    Tokenize {
        model: String,
        text: String,
        /// Adds the beginning- and end-of-text tokens that the model asks for.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        add_special: bool,
        /// Turns the names of control tokens in the text into these tokens. Never for text of unknown origin.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        parse_special: bool,
    },
    /// Ids to text. Bytes that are no character appear as U+FFFD.
    Detokenize {
        model: String,
        #[serde(deserialize_with = "lists::list")]
        ids: Vec<u32>,
        /// Shows control tokens by their names.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        special: bool,
    },
    /// A conversation as a chat template writes it.
    ApplyTemplate {
        template: Template,
        /// Turns with `role`, `content` and what else the template knows. As in `generate` they go into the variables
        /// `messages`, with `add_generation_prompt` true unless it is given, and a system message that the template
        /// does not take into the first turn of the user. Where absent the template sees the variables alone.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(type = "Record<string, unknown>[] | null", optional = nullable))]
        #[serde(deserialize_with = "lists::optional")]
        messages: Option<Vec<Map<String, Value>>>,
        /// What else the template is given, such as `tools`.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(type = "Record<string, unknown>", optional))]
        variables: Map<String, Value>,
        /// For templates that write the date; the time now where absent.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        now: Option<LocalTime>,
    },
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
        #[serde(deserialize_with = "lists::list")]
        stop: Vec<String>,
        /// What happens when the context is full.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        overflow: Overflow,
        /// Prompt-lookup decoding, used while it saves time. It does not change the output. Only with greedy choice; true
        /// where absent.
        #[serde(default = "yes")]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        prompt_lookup: bool,
        /// Returns log probabilities of each token and of so many of the most probable ones, at most 20. None where absent.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        logprobs: Option<u32>,
        /// Keeps what the prompt is in the KV cache on this machine's disk, so that another one that begins alike need not be read again
        /// after a restart either. The prompt could be read from it. Of stored models without an adapter; see `Settings.promptBytes`.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        keep_prompt: bool,
        /// What the text has to be; any text where absent. Excludes `stop`.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(type = "Format | null", optional = nullable))]
        format: Option<Format>,
        /// None where absent.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        lora: Option<LoraUse>,
    },
    /// Key sentences of a page, each with its passage, and a summary in a language model's words.
    Summarize {
        page: PageInput,
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        options: SummaryOptions,
    },
    /// The passages that answer a question best, and an answer in a language model's words.
    Ask {
        page: PageInput,
        question: String,
        /// Most passages to return.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        limit: Option<u32>,
        /// The name of a loaded language model that writes an answer from the passages; see `testWriter`.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        writer: Option<String>,
        /// The conversation so far, oldest first. The last 8 exchanges are read, 2,000 characters of each text.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        #[serde(deserialize_with = "lists::list")]
        history: Vec<Exchange>,
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        unsupported: Unsupported,
        /// 0 is the most probable answer. Any other number draws one that is the same for the same number.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        variant: u32,
        /// As of `generate`, for the language model's prompt.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        keep_prompt: bool,
        /// As of a summary.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        resume: Option<Resume>,
    },
    /// Up to three questions that the page answers, made from its text without a language model.
    SuggestQuestions { page: PageInput },
    /// The prompt for a text about a page that is written elsewhere, such as on a server of the user's own. A page that is longer than
    /// the budget is read in parts, with a prompt each.
    PreparePrompt {
        page: PageInput,
        task: PromptTask,
        /// The longest prompt, in tokens, estimated from its letters.
        budget_tokens: u32,
        /// Which part of the page, from 0.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        part: u32,
    },
    /// Judges a text about a page that was written elsewhere: each line gets its sources, as in a summary that is written here.
    Attribute {
        page: PageInput,
        /// At most 64 KiB are read.
        text: String,
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        unsupported: Unsupported,
    },
    /// Lets a language model do a few short tasks, which decide what it may write. The worker remembers the result.
    TestWriter { model: String },
    /// Tries the shapes of kernels on a model's matrices, which later loads of models like it use. The worker also does so by itself.
    Tune { model: String },
    /// Logits of a prompt, for scoring and conformance: row `i` is the model's output after position `first + i`.
    /// For an encoder: the pooled vector, then one row per token.
    Evaluate {
        model: String,
        #[serde(deserialize_with = "lists::list")]
        ids: Vec<u32>,
        /// First position whose row is wanted.
        first: u32,
        /// Ids fed one by one after the prompt, each giving one more row (the decode path).
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        #[serde(deserialize_with = "lists::list")]
        decode: Vec<u32>,
        /// None where absent.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        lora: Option<LoraUse>,
    },
    /// Removes a stored model, whole or not, with all its files. One that is resident stays usable.
    Delete { name: String },
    /// Ends another request: it fails with `cancelled`.
    Cancel { target: u32 },
    /// The languages that a text may be in. Needs no model. At most the first 64 KiB and 3,000 words are read.
    DetectLanguage { text: String },
    /// Nothing. A worker that does not answer it for long does not live.
    Ping {},
}

fn yes() -> bool {
    true
}
