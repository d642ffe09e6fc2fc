//! Model + device limits + context -> a plan: every buffer, every weight placement, every step. Executors run it without
//! knowing the model, and nothing is decided or allocated once it exists.

mod blocks;
mod build;
mod builder;
mod deferred;
mod error;
mod lora;
mod mixers;
mod place;
mod transfer;

pub use build::{build, extend};
pub use error::PlanError;
pub use transfer::{Destination, TRANSFER_BYTES_MAX, Transfer};

use crate::kernels::Step;
use crate::models::{Lora, ModelSpec};
use crate::plan::{Layout, View};

/// A model laid out for execution.
#[derive(Debug)]
pub struct Plan {
    /// What it was made from.
    pub spec: ModelSpec,
    /// Adapters that have been added to the model.
    pub loras: Vec<Lora>,
    /// Where everything lies.
    pub layout: Layout,
    /// What to read from the files, in ascending order of file and offset.
    pub transfers: Vec<Transfer>,
    /// From logits to the largest, for every output row.
    pub greedy: Vec<Step>,
    /// From logits to a draw, for every output row.
    pub sampled: Vec<Step>,
    /// The model's own steps, then those with each of its adapters.
    pub bodies: Vec<Bodies>,
}

/// The steps of a model, as it is or with an adapter.
#[derive(Debug)]
pub struct Bodies {
    /// Steps for a slice of many tokens.
    pub prefill: Vec<Step>,
    /// Steps for one token; none for an encoder.
    pub decode: Vec<Step>,
    /// Steps from the residual stream to logits, or to the pooled rows.
    pub head: Vec<Step>,
    /// Rows after the final norm, `[slice, hidden_size]`, and the pooled rows, `[sequences, hidden_size]`, for an encoder.
    pub rows: Option<(View, View)>,
}

impl Plan {
    /// Most values that are read back at once: rows of logits, or an encoder's vectors.
    pub(crate) fn back_len(&self) -> usize {
        let options = &self.layout.options;
        let rows = self.bodies.first().and_then(|b| b.rows).map_or(0, |(rows, pooled)| {
            (options.slice_tokens * rows.stride).max(options.sequences * pooled.stride)
        });
        rows.max(self.layout.logits.map_or(0, |l| options.logits_rows * l.stride))
    }
}
