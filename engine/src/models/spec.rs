//! A model as data: what the facts of an architecture and the contents of a file make together.

use super::arch::Act;
use super::rope::Rope;
use crate::formats::Format;

/// A model. Names refer to tensors of the file; all shapes have been checked.
#[derive(Debug, Clone)]
pub struct ModelSpec {
    /// `general.architecture`.
    pub architecture: String,
    /// `general.name`, or the architecture.
    pub title: String,
    /// Rows of the token embedding.
    pub vocab: usize,
    /// Width of the residual stream, in values.
    pub width: usize,
    /// Most positions that the model was made for.
    pub context_tokens: usize,
    /// False where every position sees every other.
    pub causal: bool,
    /// How token vectors become one, for an embedding model.
    pub pooling: Option<Pooling>,
    /// `[vocab, width]`.
    pub token_embd: Matrix,
    /// Factor of the embedded rows.
    pub embd_scale: f32,
    /// `[positions, width]`, where positions are learned.
    pub position_embd: Option<Matrix>,
    /// `[types, width]`; every token is of type 0.
    pub token_types: Option<Matrix>,
    /// Norm of the embedded rows.
    pub embd_norm: Option<Norm>,
    /// The blocks.
    pub layers: Vec<Layer>,
    /// Norm before the head.
    pub final_norm: Option<Norm>,
    /// `[vocab, width]`; absent for an encoder. The token embedding itself where the file ties them.
    pub head: Option<Matrix>,
    /// Factor of the logits.
    pub logit_scale: f32,
    /// Logits become cap * tanh(logit / cap); 0 for none.
    pub logit_cap: f32,
    /// Matrices after the last norm of an embedding model.
    pub dense: Vec<Matrix>,
    /// Rotations that layers refer to.
    pub ropes: Vec<Rope>,
    /// True where the feed-forward part reads what attention reads.
    pub parallel: bool,
    /// Factor of what the parts add to the residual stream.
    pub residual_scale: f32,
}

/// One block.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Norm before the mixer.
    pub attn_norm: Option<Norm>,
    /// The mixer.
    pub attention: Attention,
    /// Norm of what the mixer adds.
    pub attn_out_norm: Option<Norm>,
    /// Norm of the residual stream after the mixer (post-norm encoders).
    pub attn_post_norm: Option<Norm>,
    /// Norm before the feed-forward part.
    pub ffn_norm: Option<Norm>,
    /// The feed-forward part.
    pub ffn: Ffn,
    /// Norm of what the feed-forward part adds.
    pub ffn_out_norm: Option<Norm>,
    /// Norm of the residual stream after the feed-forward part (post-norm encoders).
    pub ffn_post_norm: Option<Norm>,
}

/// Multi-head attention with grouped keys and values.
#[derive(Debug, Clone)]
pub struct Attention {
    /// Query heads.
    pub heads: usize,
    /// Key and value heads; divides `heads`.
    pub kv_heads: usize,
    /// Values per head.
    pub head_len: usize,
    /// One matrix with the rows of q, k and v, or three.
    pub qkv: Vec<Matrix>,
    /// Norm of every query head, `[head_len]`, or of the whole row of queries.
    pub q_norm: Option<Norm>,
    /// Norm of every key head, `[head_len]`, or of the whole row of keys.
    pub k_norm: Option<Norm>,
    /// `[width, heads * head_len]`.
    pub out: Matrix,
    /// Factor of the scores.
    pub scale: f32,
    /// Scores become cap * tanh(score / cap); 0 for none.
    pub cap: f32,
    /// Causal: positions that a token sees, itself included. Else: how far it sees to either side.
    pub window: Option<usize>,
    /// Index into [`ModelSpec::ropes`].
    pub rope: Option<usize>,
    /// Scale of the queries that grows with the position.
    pub temperature: Option<Temperature>,
}

/// Queries at position p are multiplied by 1 + scale * ln(floor(p / original_tokens) + 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temperature {
    /// Its factor.
    pub scale: f32,
    /// Where it sets in.
    pub original_tokens: usize,
}

/// Feed-forward part.
#[derive(Debug, Clone)]
pub struct Ffn {
    /// `[inner, width]` once (plain), twice (gate, then up), or once with both fused.
    pub up: Vec<Matrix>,
    /// True where the first half gates the second.
    pub gated: bool,
    /// Activation.
    pub act: Act,
    /// Inner width.
    pub inner: usize,
    /// `[width, inner]`.
    pub down: Matrix,
}

/// A weight matrix of the file.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// Tensor name.
    pub tensor: String,
    /// How it is stored.
    pub format: &'static Format,
    /// Outputs.
    pub rows: usize,
    /// Inputs.
    pub cols: usize,
    /// `[rows]`.
    pub bias: Option<Vector>,
}

/// A vector of the file, decoded to f32 at load.
#[derive(Debug, Clone)]
pub struct Vector {
    /// Tensor name.
    pub tensor: String,
    /// How it is stored.
    pub format: &'static Format,
    /// Values.
    pub len: usize,
}

/// Which statistic a norm divides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NormKind {
    /// Root mean square.
    Rms,
    /// Standard deviation around the mean.
    Layer,
}

/// A norm over rows.
#[derive(Debug, Clone)]
pub struct Norm {
    /// Its statistic.
    pub kind: NormKind,
    /// Added to the variance.
    pub eps: f32,
    /// Factors.
    pub weight: Vector,
    /// Summands.
    pub bias: Option<Vector>,
}

/// How token vectors become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// Their mean.
    Mean,
    /// The first one.
    First,
    /// The last one.
    Last,
}
