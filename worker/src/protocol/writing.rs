//! Text about a page in a language model's words.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

use super::lists;
use super::model::BackendInfo;
use super::page::{Passage, SummaryLength};
use super::text::{ChatMessage, FinishReason};
use super::tier::WriterTier;

/// What a language model writes of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum SummaryKind {
    /// One line for each main point; `length` says how many.
    #[default]
    KeyPoints,
    /// One or two sentences.
    Tldr,
    /// Two or three sentences that tell what the page offers a reader.
    Teaser,
    /// One line, without a full stop.
    Headline,
    /// Short sentences in simple words; `length` says how many.
    Simple,
}

/// What becomes of a line that no passage supports, after a second draft.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum Unsupported {
    /// The closest sentence of the page takes its place.
    #[default]
    Replace,
    /// It is left out.
    Drop,
    /// It stays, with `support: "unsupported"`.
    Mark,
}

/// A question of the same conversation, and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct Exchange {
    pub question: String,
    pub answer: String,
}

/// What a text about a page is to be.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum PromptTask {
    Summarize {
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        kind: SummaryKind,
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        length: SummaryLength,
    },
    Ask {
        question: String,
        /// The conversation so far, oldest first.
        #[serde(default)]
        #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
        history: Vec<Exchange>,
    },
}

/// A prompt about a page, or a part of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct PreparedPrompt {
    /// Text of the page stands in a fence in them. Empty where the page does not answer the question.
    pub messages: Vec<ChatMessage>,
    /// Whether the page answers the question; true for a summary.
    pub answered: bool,
    /// In how many parts the page is read.
    pub parts: u32,
    /// The share of the page's words that is in this prompt, 0 to 1.
    pub share_read: f32,
    /// The words of the page that are in this prompt.
    pub words_read: u32,
}

/// A language model's text, with the passages that support it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct WrittenText {
    pub lines: Vec<WrittenLine>,
    /// What `sources` of the lines refer to.
    pub passages: Vec<Passage>,
    /// The title of the model.
    pub by: String,
    pub backend: BackendInfo,
    /// In how many parts the model read the page.
    pub parts: u32,
    /// The share of the page's words that the model read, 0 to 1.
    pub share_read: f32,
    /// The words of the page that the model read.
    pub words_read: u32,
    /// Tokens of all prompts.
    pub prompt_tokens: u32,
    /// Of these, tokens that an earlier prompt had in the context.
    pub reused_tokens: u32,
    /// Tokens that the model wrote, in all drafts.
    pub tokens: u32,
    /// Positions of the model's context.
    pub context_tokens: u32,
    /// From the request to the first line that stands.
    pub first_line_ms: f64,
    pub time_ms: f64,
    /// Tokens of the model's thinking, which is not shown.
    pub thinking_tokens: u32,
    /// Why the last draft ended.
    pub finish_reason: FinishReason,
    /// Of a draft: what the same request is given as `resume` to go on with this text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional))]
    pub resume: Option<Resume>,
}

/// A text as far as it was written. With the same request, of the same page and by the same model, it goes on where it was: what it
/// has is not written again. For another one it is not used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct Resume {
    /// The model that writes.
    pub model: String,
    /// What its prompts have around the text of the page.
    pub nonce: String,
    #[serde(deserialize_with = "lists::list")]
    pub generations: Vec<ResumedGeneration>,
}

/// What a model wrote to one prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct ResumedGeneration {
    /// A hash of the prompt.
    pub prompt: u32,
    /// Its tokens.
    #[serde(deserialize_with = "lists::list")]
    pub ids: Vec<u32>,
}

/// A line that a language model wrote, or the page's sentence in its place.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct WrittenLine {
    pub text: String,
    /// Indices into `passages` of the text, the closest first. They are found by comparing the line with the page; what the
    /// model says about its sources is not used.
    pub sources: Vec<u32>,
    pub support: Support,
}

/// Whether the page supports a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum Support {
    /// It is a sentence of the page, or the part of one.
    Copied,
    /// It is in other words, and its sources have its numbers, names and meaning.
    Supported,
    /// No passage has what it says.
    Unsupported,
    /// It is the page's sentence, in place of a line that was not supported.
    Replaced,
    /// It is said in another language than the page. The line that it is made from was compared with the page; this one was not.
    Translated,
}

/// Why a language model was asked for and wrote nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum NotWritten {
    /// Its test says that it may not do this.
    ModelTooWeak,
    /// It has no chat template.
    NoTemplate,
    /// It does not know the language of the page.
    LanguageNotKnown,
    /// Its context is too short for a prompt.
    ContextTooSmall,
    /// No line that it wrote is supported by the page.
    NothingSupported,
    /// The page does not answer the question; the model was not asked.
    NotOnPage,
}

/// The result of `testWriter`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct WriterTest {
    pub tier: WriterTier,
    /// Why, as a sentence.
    pub reason: String,
    /// Tokens written per second.
    pub tokens_per_s: f64,
    /// From the first request to its first token.
    pub first_token_ms: f64,
    pub lines: Vec<WriterTestLine>,
    pub time_ms: f64,
}

/// One task of a model's test.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct WriterTestLine {
    /// The sentence that it was given.
    pub source: String,
    pub written: String,
    /// Whether what it wrote may stand.
    pub ok: bool,
    /// What speaks against it; empty where nothing does.
    pub why: String,
}
