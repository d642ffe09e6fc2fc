//! What language models may write.

use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

/// What a model may write, by its test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum WriterTier {
    /// Nothing.
    None,
    /// Answers to questions.
    Chat,
    /// Answers, and key sentences made shorter.
    Shorten,
    /// Answers and all kinds of summaries.
    Write,
}
