//! Text that is generated: what from, how, and what it cost.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use super::finite;
use serde::{Deserialize, Serialize};
use serde_json::Value;
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

/// What a model is to continue.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Prompt {
    /// Through the model's chat template. Contents are encoded without parsing special tokens.
    Chat {
        messages: Vec<ChatMessage>,
        /// The last message is the beginning of the assistant's answer, which is continued. The result has what follows.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        continue_last: bool,
        /// What the model may call; at most 128. Needs a template that writes tool calls.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        tools: Vec<ToolSpec>,
        /// The answer is a call of one of these tools, by their names, with arguments that meet the tool's schema. Reasoning may come
        /// before it. Any answer where absent. Excludes `format` and `stop`.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        must_call: Option<Vec<String>>,
        /// The answer ends with its first tool call.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        single_tool_call: bool,
        /// Separates reasoning, content and tool calls, in `token` events and in the result. Implied by tools.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        parse: bool,
        /// Whether the model is to reason, where its template has a switch.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        thinking: Option<bool>,
    },
    /// As it is, after the model's own leading token.
    Text { text: String },
    /// Token ids, nothing added.
    Ids { ids: Vec<u32> },
}

/// One turn of a conversation.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatMessage {
    /// "system", "user", "assistant", or "tool" for the result of a call.
    pub role: String,
    /// Plain text.
    pub content: String,
    /// Of an assistant: what it thought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub reasoning: Option<String>,
    /// Of an assistant: what it called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub tool_calls: Vec<ToolCall>,
    /// Of a result: the call's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub tool_call_id: Option<String>,
    /// Of a result: the tool's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub name: Option<String>,
}

/// A tool that a model may call.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct ToolSpec {
    /// At most 128 letters, digits and `_ - . : /`.
    pub name: String,
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub description: String,
    /// JSON schema of the arguments, as JSON text. All tools together have at most 256 KiB.
    pub parameters: String,
    /// If the model calls this tool, the arguments meet the schema.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub strict: bool,
}

/// A call of a tool.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct ToolCall {
    /// As the model wrote it, or made up.
    pub id: String,
    pub name: String,
    /// A JSON object, as JSON text.
    pub arguments: String,
}

/// More of an answer, taken apart.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum MessageDelta {
    Content {
        text: String,
    },
    Reasoning {
        text: String,
    },
    /// A call begins; its arguments follow.
    ToolCall {
        index: u32,
        id: String,
        name: String,
    },
    /// More of the JSON text of a call's arguments.
    Arguments {
        index: u32,
        text: String,
    },
    /// A call is complete.
    ToolCallEnd {
        index: u32,
    },
}

/// An answer, taken apart.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ParsedMessage {
    pub content: String,
    pub reasoning: String,
    pub tool_calls: Vec<ToolCall>,
}

/// A chat template.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Template {
    /// The one that a loaded model goes by.
    Model { model: String },
    /// In Jinja's words.
    Text {
        text: String,
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        bos_token: String,
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        eos_token: String,
    },
}

/// A time on the clock of whoever reads it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct LocalTime {
    pub year: i32,
    /// 1 to 12.
    pub month: u32,
    pub day: u32,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
}

/// How the next token is chosen. The defaults are greedy and repeatable.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(default, rename_all = "camelCase")]
pub struct Sampling {
    /// 0 is greedy.
    #[serde(deserialize_with = "finite::number")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub temperature: f32,
    /// 0 keeps all.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub top_k: u32,
    /// 0 or 1 keeps all.
    #[serde(deserialize_with = "finite::number")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub top_p: f32,
    /// 0 keeps all.
    #[serde(deserialize_with = "finite::number")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub min_p: f32,
    /// 0 or 1 is none.
    #[serde(deserialize_with = "finite::number")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub repetition_penalty: f32,
    /// Subtracted from the logit of every token among the last 64, -100 to 100.
    #[serde(deserialize_with = "finite::number")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub presence_penalty: f32,
    /// Subtracted as often as the token occurs among the last 64, -100 to 100.
    #[serde(deserialize_with = "finite::number")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub frequency_penalty: f32,
    /// Added to the logits of these tokens: pairs of a token id and a number; at most 1,024.
    #[serde(deserialize_with = "finite::biases")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub logit_bias: Vec<(u32, f32)>,
    /// Same seed, same text on the same device. Drawn at random where absent; `stats.seed` has it.
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub seed: Option<u32>,
}

/// A token with the natural logarithm of its probability, before penalties and temperature.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct Logprob {
    pub id: u32,
    /// As text, alone; bytes that are no character appear as U+FFFD.
    pub token: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    pub logprob: f32,
}

/// A token that was chosen, and the most probable ones in its place, best first.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct TokenLogprobs {
    pub chosen: Logprob,
    pub top: Vec<Logprob>,
}

/// What happens when the context is full.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Overflow {
    /// The answer ends, with the reason `context`.
    #[default]
    Stop,
    /// The model forgets the middle and goes on. What stays is read again: the first `keep` tokens, at most half of the
    /// context, and the later half of the rest.
    Slide {
        /// The system message where absent; without one the model's own leading token.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
        keep: Option<u32>,
    },
}

/// What a generated text has to be: a [`FormatShape`]. It is read by [`Format::parts`], which takes less code than a type for each.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Format(Value);

/// What a generated text has to be. It is cut short only where it reaches `maxTokens` or the end of the context.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug, Clone, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[ts(rename = "Format")]
pub enum FormatShape {
    /// A JSON object.
    Json,
    /// JSON that meets a schema: at most 1 MiB and 64 levels.
    JsonSchema {
        #[ts(type = "unknown")]
        schema: Value,
    },
    /// A text that a regular expression matches as a whole: at most 64 KiB. Without look-around and back-references.
    Regex { pattern: String },
    /// A text of a grammar in llguidance's variant of Lark's syntax: at most 256 KiB.
    Lark { grammar: String },
}

impl Format {
    /// Its name, and the schema, regular expression or grammar; `None` where it is no format.
    pub fn parts(&self) -> Option<(&str, String)> {
        let name = self.0.get("type")?.as_str()?;
        let text = |key: &str| Some(self.0.get(key)?.as_str()?.to_owned());
        let text = match name {
            "json" => String::new(),
            "jsonSchema" => serde_json::to_string(self.0.get("schema")?).ok()?,
            "regex" => text("pattern")?,
            "lark" => text("grammar")?,
            _ => return None,
        };
        Some((name, text))
    }
}

/// Why generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum FinishReason {
    Stop,
    Length,
    Context,
    /// The answer has tool calls.
    ToolCalls,
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
    pub dispatches_per_token: f64,
    pub submits_per_token: f64,
    pub queue_writes_per_token: f64,
    pub readback_bytes_per_token: f64,
    pub heap_growth_bytes: u64,
    /// Prompt tokens whose KV cache was reused from an earlier prompt (prefix caching).
    pub reused_tokens: u32,
    /// Of these, tokens that came from the disk.
    pub restored_tokens: u32,
    /// Slices in which the rest was read, also after the context was full.
    pub slices: u32,
    /// Tokens proposed by prompt-lookup decoding.
    pub drafted: u32,
    /// Proposed tokens that were accepted.
    pub accepted: u32,
    /// How often the context was full and the window slid on.
    pub slides: u32,
    /// Tokens that were decoded in steps that other requests shared.
    pub shared_tokens: u32,
    /// Devices that were lost meanwhile. Figures per token, and of objects, are those since the last of them.
    pub recoveries: u32,
    /// The seed that was used; null for greedy choice.
    pub seed: Option<u32>,
}
