//! Model + device limits + context -> a plan: every buffer, every weight placement, every step. Data only: executors
//! run it without knowing the model, and nothing is decided or allocated once it exists.

mod adapters;
mod blocks;
mod build;
mod cache;
mod deferred;
mod error;
mod memory;
mod sampling;
mod step;
mod transfer;
mod weights;

pub(crate) use build::{Builder, Phase, same_format};
pub use build::{build, extend};
pub use cache::{CACHE_BLOCK, CacheFormat, Kv};
pub use error::PlanError;
pub use memory::Memory;
pub use sampling::{CHUNK, SAMPLING_WORDS, SHORTLIST, Sampling};
pub use step::*;
pub use transfer::{PIECE_BYTES_MAX, Piece, Target};
pub use weights::{Part, PlanePlace, Shard, VectorId, VectorPlace, Weight, WeightId};

use crate::models::{Adapter, ModelSpec};

/// Tokens in a page of the KV cache.
pub const PAGE_TOKENS: usize = 32;

/// Sequences that can keep the state of a recurrent mixer at the same time.
pub const STATE_SLOTS: usize = 2;

/// What the device can bind. The plan splits what is larger.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Largest range of a buffer that a kernel can see.
    pub binding_bytes: u64,
    /// Largest buffer.
    pub buffer_bytes: u64,
    /// Whether kernels write four words at a time, as where buffers are textures.
    pub in_fours: bool,
}

/// What the caller chooses.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Positions of the KV cache; rounded up to whole pages.
    pub context_tokens: usize,
    /// Most tokens in one prefill slice.
    pub slice_tokens: usize,
    /// Most rows of logits kept from one slice.
    pub logits_rows: usize,
    /// Most sequences in one slice: tokens of several that go on together, or short texts of an encoder side by side.
    pub sequences: usize,
    /// How keys and values are stored. What an encoder keeps within a slice is always F32.
    pub cache: CacheFormat,
}

/// A model laid out for execution.
#[derive(Debug)]
pub struct Plan {
    /// What it was made from.
    pub spec: ModelSpec,
    /// Adapters that have been added to the model.
    pub adapters: Vec<Adapter>,
    /// What the device can bind.
    pub limits: Limits,
    /// Choices, adjusted to the model.
    pub options: Options,
    /// Matrices, some joined from several tensors.
    pub weights: Vec<Weight>,
    /// Vectors, decoded to f32, one after another in one buffer.
    pub vectors: Vec<VectorPlace>,
    /// Length of that buffer in values.
    pub vectors_len: usize,
    /// What to read from the files, in ascending order of file and offset.
    pub pieces: Vec<Piece>,
    /// Everything that is not a weight or a vector.
    pub buffers: Vec<Buffer>,
    /// Records of the slice's tokens: [`crate::backend::Token`].
    pub tokens: BufferId,
    /// Page tables of the slice's sequences: the physical page of each logical page, u32.
    pub pages: BufferId,
    /// cos and sin, `[context, pairs, 2]`, of each rotation of the model.
    pub ropes: Vec<BufferId>,
    /// `[logits_rows, vocab]`, for a model with a head.
    pub logits: Option<View>,
    /// The id chosen for each output row, u32.
    pub chosen: BufferId,
    /// A [`Sampling`] for each sequence.
    pub sampling: BufferId,
    /// From logits to the largest, for every output row.
    pub greedy: Vec<Step>,
    /// From logits to a draw, for every output row.
    pub sampled: Vec<Step>,
    /// The model's own steps, then those with each of its adapters.
    pub bodies: Vec<Bodies>,
    /// Physical pages of the KV cache.
    pub kv_pages: usize,
    /// Words of the page tables of a slice.
    pub pages_len: usize,
    /// The buffers of the KV cache and of the states of recurrent mixers.
    pub kv: Vec<BufferId>,
    /// Sequences that can keep a state at the same time; `None` where no mixer has one.
    pub state_slots: Option<usize>,
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
    /// Rows after the final norm, `[slice, width]`, and the pooled rows, `[sequences, width]`, for an encoder.
    pub rows: Option<(View, View)>,
}
