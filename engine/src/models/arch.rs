//! What a file does not say about itself.

use crate::gguf::Value;
use crate::plan::{Act, RopePairs};

/// Where the feed-forward part reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parallel {
    /// What the mixer has added to; what it reads itself where the key `use_parallel_residual` says so.
    ByKey,
    /// What the mixer reads.
    Always,
    /// What the mixer reads, where layers have no norm of their own for it.
    WithoutNorm,
}

/// As [`Arch::global_every`]: no layer sees everything.
pub const NEVER: usize = usize::MAX;

/// The value of a key that a file leaves out, by the width of the residual stream and the number of blocks.
pub type Preset = fn(hidden_size: usize, layers: usize) -> Value;

/// The facts of an architecture that its files do not carry. [`BASE`] says what holds when nothing is said.
#[derive(Debug)]
pub struct Arch {
    /// `general.architecture`.
    pub name: &'static str,
    /// How positions enter the heads.
    pub rope: RopePairs,
    /// Feed-forward activation.
    pub act: Act,
    /// True where embedded tokens are multiplied by the square root of the hidden size.
    pub embd_scale_sqrt: bool,
    /// Where a window is set: every how many layers one sees everything. A key or an array in the file goes before it.
    pub global_every: Option<usize>,
    /// Base of the rotation in layers with a window, where the file names none.
    pub local_rope_base: Option<f32>,
    /// Every how many layers one does not rotate.
    pub unrotated_every: Option<usize>,
    /// Factor of the attention scores, where it is not 1 / sqrt(head length).
    pub attn_scale: Option<f32>,
    /// True where values are divided by their root mean square, head by head.
    pub value_norm: bool,
    /// Name of the norm before the head.
    pub final_norm: &'static str,
    /// Name of the norm before the feed-forward part. One that is not called so is a norm after attention.
    pub ffn_norm: &'static str,
    /// Where the feed-forward part reads.
    pub parallel: Parallel,
    /// True where only layers with a window rotate, in models that have such layers.
    pub local_rope_only: bool,
    /// True where the norms of queries and keys come after the rotation.
    pub norm_after_rope: bool,
    /// True where `logit_scale` multiplies the logits instead of dividing them.
    pub logits_times_scale: bool,
    /// False where the weights of the chosen experts stay as they are among all.
    pub normalised_experts: bool,
    /// True where a recurrent mixer and attention stand side by side in a layer.
    pub attention_beside: bool,
    /// False for an encoder whose files do not say that attention looks both ways.
    pub causal: bool,
    /// Most tokens of a text that becomes a vector, where models were trained on fewer than they have positions.
    pub text_tokens: Option<usize>,
    /// True where every head of queries is followed by a gate of its output, in one matrix.
    pub gated_heads: bool,
    /// True where the norms of queries and keys are over their whole rows, not head by head.
    pub row_norms: bool,
    /// True where the gate of the feed-forward part and what it gates are one matrix.
    pub fused_gate: bool,
    /// True where the rotation of layers with a window is not stretched, whatever is done to the others.
    pub local_unstretched: bool,
    /// Matrices behind the last norm of an embedding model, with the key that says how many rows one has.
    pub projections: &'static [(&'static str, &'static str)],
    /// What holds where a file leaves a key out, of older files mostly.
    pub defaults: &'static [(&'static str, Preset)],
    /// Tensors that files may have and nothing reads; `*` stands for every layer.
    pub unused: &'static [&'static str],
    /// Keys without which a file is not whole, where other architectures go without them.
    pub keys: &'static [&'static str],
    /// Tensors without which a file is not whole, where other architectures go without them; `*` stands for every layer.
    pub tensors: &'static [&'static str],
    /// True where the self-check can make up a model of it whole: attention and a feed-forward part, with no facts of its own.
    pub made_up: bool,
}

/// The usual decoder: rotation in halves, SiLU, every layer alike.
pub const BASE: Arch = Arch {
    name: "",
    rope: RopePairs::Half,
    act: Act::Silu,
    embd_scale_sqrt: false,
    global_every: None,
    local_rope_base: None,
    unrotated_every: None,
    attn_scale: None,
    value_norm: false,
    final_norm: "output_norm",
    ffn_norm: "ffn_norm",
    parallel: Parallel::ByKey,
    local_rope_only: false,
    norm_after_rope: false,
    logits_times_scale: false,
    normalised_experts: true,
    attention_beside: false,
    causal: true,
    text_tokens: None,
    gated_heads: false,
    row_norms: false,
    fused_gate: false,
    local_unstretched: false,
    projections: &[("dense_2", "dense_2_feat_out"), ("dense_3", "dense_3_feat_out")],
    defaults: &[],
    unused: &[],
    keys: &[],
    tensors: &[],
    made_up: false,
};
