//! What a plan is made of, as data: views, weights, the layout of the cache, the records that kernels read, and which
//! functions there are. Steps are in `kernels`, what makes a plan is in `planner`.

mod cache;
mod features;
mod math;
mod memory;
mod records;
mod tensors;
mod uniform;
mod views;
mod weights;

pub use cache::{CACHE_BLOCK, CacheFormat, Kv};
pub use features::{Feature, Features};
pub use math::{
    ACT_BOUND, Act, Epilogue, Index, NormKind, NormOver, NormUse, Pooling, RopePairs, Temperature,
};
pub use memory::Memory;
pub use records::{CHUNK, SAMPLING_WORDS, SHORTLIST, STEPS_MAX, Sampling, Span, State, TOKEN_WORDS, Token};
pub use tensors::{Matrix, Runs, Vector};
pub(crate) use uniform::{uniform, uniform_field};
pub use views::{Buffer, BufferId, Rows, View};
pub use weights::{Part, PlanePlace, Shard, VectorId, VectorPlace, Weight, WeightId};

use crate::formats::Precision;

/// Largest head that the attention kernels hold.
pub const HEAD_LEN_MAX: usize = 256;

/// Most taps of a convolution over time.
pub const TAPS_MAX: usize = 8;

/// Longest row of a recurrent mixer's state.
pub const STATE_LEN_MAX: usize = 1024;

/// Tokens in a page of the KV cache.
pub const PAGE_TOKENS: usize = 32;

/// Most sequences that can keep the state of a recurrent mixer at the same time: a slot has four bits in [`State`], of 32.
pub const STATE_SLOTS_MAX: usize = 8;

/// What the device can bind, and what else it offers. The plan splits what is larger.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Largest range of a buffer that a kernel can see.
    pub binding_bytes: u64,
    /// Largest buffer.
    pub buffer_bytes: u64,
    /// Whether kernels write four words at a time, as where buffers are textures.
    pub in_fours: bool,
    /// Whether many tokens are multiplied with experts one expert at a time, sorted beforehand.
    pub sorts_experts: bool,
    /// Workers that share the rows of large matrices.
    pub threads: Threads,
    /// Optional features that kernels may use.
    pub features: Features,
}

/// Workers of the CPU that share the rows of matrices.
#[derive(Debug, Clone, Copy)]
pub struct Threads {
    /// How many, with the one that runs the plan.
    pub count: usize,
    /// Matrices of fewer bytes are multiplied before another worker would have heard of it.
    pub bytes_min: usize,
}

impl Threads {
    /// On GPUs, and where there is one core.
    pub const ONE: Self = Self { count: 1, bytes_min: 64 << 10 };
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
    /// How exact products with quantized weights are. Those of an encoder are always exact.
    pub precision: Precision,
}

/// Where everything lies that steps read and write.
#[derive(Debug)]
pub struct Layout {
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
    /// Physical pages of the KV cache.
    pub kv_pages: usize,
    /// Words of the page tables of a slice.
    pub pages_len: usize,
    /// The buffers of the KV cache and of the states of recurrent mixers.
    pub kv: Vec<BufferId>,
    /// The pools of all layers, those once that several share.
    pub pools: Vec<Kv>,
    /// Sequences that can keep a state at the same time; `None` where no mixer has one.
    pub state_slots: Option<usize>,
}

impl Layout {
    /// Sequences that can go on in one step. Where buffers are textures, draws see one state.
    pub fn sequences_max(&self) -> usize {
        match self.state_slots {
            Some(_) if self.limits.in_fours => 1,
            Some(slots) => slots.min(self.options.sequences),
            None => self.options.sequences,
        }
    }
}
