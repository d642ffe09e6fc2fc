//! What is read out of a page: its key sentences, and the passages that answer a question, with what a language model makes of them.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

use super::model::BackendInfo;
use super::page::{LeftOut, Passage, SummaryLength, WithoutEncoder};
use super::writing::{NotWritten, Resume, SummaryKind, Unsupported, WrittenText};

/// Options of a summary.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(default, rename_all = "camelCase")]
pub struct SummaryOptions {
    /// 3, 5 or 8 lines.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub length: SummaryLength,
    /// The name of a loaded language model that writes. What it may write is decided by its test, which is run where it was not
    /// run before: see `testWriter`.
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub writer: Option<String>,
    /// What it writes.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub kind: SummaryKind,
    /// In which language, as a tag such as "de"; the page's where absent.
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub target_language: Option<String>,
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub unsupported: Unsupported,
    /// 0 is the most probable text. Any other number draws a text that is the same for the same number.
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub variant: u32,
    /// `written.resume` of the last draft of this request, which was not finished.
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub resume: Option<Resume>,
}

/// A kind that a page may be of.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct KindCandidate {
    pub kind: String,
    /// 0 to 1; over all kinds 1.
    pub confidence: f32,
    /// What spoke for it and against it, the weightiest first.
    pub signs: Vec<KindSign>,
}

/// What speaks for a kind, or against it where `weight` is below 0: about 1 for a weak sign, 2 for a strong one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct KindSign {
    pub name: String,
    pub weight: f32,
}

/// Comments of readers under an article.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Comments {
    pub count: u32,
    /// Words that most of them share, at most four; empty where none stands out.
    pub about: Vec<String>,
}

/// A summary whose every line knows its source.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub title: String,
    /// The author's own description, shown first.
    pub description: Option<String>,
    /// Whether the first line says what the description says.
    pub is_described: bool,
    /// The kind of page: "recipe", "man-page"; "prose" where it is of no particular kind. See `docs/kinds.md`.
    pub kind: String,
    /// How sure the kind is, 0 to 1.
    pub kind_confidence: f32,
    /// For inspection: the likeliest kinds, the first one first, with what spoke for them.
    pub kinds: Vec<KindCandidate>,
    /// What matters of the page, in the form that its kind needs: key sentences, and lines that are put together.
    pub lines: Vec<Passage>,
    /// The language of the page's text as a primary subtag ("en"), "und" where unknown.
    pub language: String,
    pub sentences: u32,
    pub words: u32,
    /// What readers wrote under the article, which the lines leave out.
    pub comments: Option<Comments>,
    pub left_out: LeftOut,
    /// What the language model wrote, where one was asked for.
    pub written: Option<WrittenText>,
    /// Why it wrote nothing, where one was asked for.
    pub not_written: Option<NotWritten>,
    pub time_ms: f64,
}

/// The passages of a page that are closest to a question, best first; in page order where they are listed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    pub passages: Vec<Passage>,
    /// Whether the passages answer the question.
    pub answered: bool,
    /// Why these passages.
    pub reason: AnswerReason,
    pub left_out: LeftOut,
    /// The language of the page's text as a primary subtag ("en"), "und" where unknown.
    pub language: String,
    /// The executor of the embedding model, where one took part.
    pub backend: Option<BackendInfo>,
    /// Why no embedding model took part; null also where the question needs none.
    pub without_encoder: Option<WithoutEncoder>,
    /// The language of a question that nothing answers, where the page is in another one that the model does not compare with it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional))]
    pub asked_in: Option<String>,
    /// The answer in a language model's words, where one was asked for.
    pub written: Option<WrittenText>,
    /// Why it wrote nothing, where one was asked for.
    pub not_written: Option<NotWritten>,
    pub time_ms: f64,
}

/// Why an answer has the passages that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum AnswerReason {
    /// They answer the question.
    Answered,
    /// The question asks what the page is about: they are its key sentences.
    KeySentences,
    /// The question asks for all dates, numbers or prices: they have them, in page order.
    Listed,
    /// The question asks for all dates, numbers or prices, and the page has none.
    NothingToList,
    /// The question has no word that can be looked for. There are no passages.
    TooVague,
    /// The page does not answer: they are the closest passages.
    NotOnPage,
}
