//! Prompts, continued. Generations of a model run side by side, in rounds, until each has ended.

mod meter;
mod rounds;
mod under_way;

use crate::error::WorkerError;
use crate::protocol::{Format, Overflow, Prompt, Sampling};

pub use rounds::{Active, pause, round};

/// Most tokens of which log probabilities may be asked for, beside the chosen one: what OpenAI's API takes.
const LOGPROBS_MAX: u32 = 20;
/// Most biased tokens.
const LOGIT_BIAS_MAX: usize = 1024;

/// What is to be generated.
#[derive(Debug)]
pub struct Order {
    /// What to continue.
    pub prompt: Prompt,
    /// How to choose.
    pub sampling: Sampling,
    /// Most tokens.
    pub max_tokens: u32,
    /// Strings that end it.
    pub stop: Vec<String>,
    /// What to do when the context is full.
    pub overflow: Overflow,
    /// Whether to use prompt-lookup decoding.
    pub prompt_lookup: bool,
    /// Of how many of the most probable tokens to return log probabilities, beside those of the chosen ones.
    pub logprobs: Option<u32>,
    /// Whether to keep the prompt on the disk.
    pub keep_prompt: bool,
    /// What the text has to be.
    pub format: Option<Format>,
}

/// Refuses orders that contradict themselves.
///
/// # Errors
/// `BadMessage`.
pub fn check(order: &Order) -> Result<(), WorkerError> {
    let (most, bias) = (order.logprobs.unwrap_or_default(), order.sampling.logit_bias.len());
    let has_tools = matches!(&order.prompt, Prompt::Chat { tools, .. } if !tools.is_empty());
    let why = if most > LOGPROBS_MAX || bias > LOGIT_BIAS_MAX {
        format!("at most {LOGPROBS_MAX} log probabilities a token and {LOGIT_BIAS_MAX} biases")
    } else if order.format.is_some() && !order.stop.is_empty() {
        "format and stop exclude each other".into()
    } else if order.format.is_some() && has_tools {
        "format and tools exclude each other".into()
    } else {
        return Ok(());
    };
    Err(WorkerError::BadMessage { why })
}
