//! A model as data: what the facts of an architecture and the contents of a file make together.

use super::rope::Rope;
use crate::plan::{Act, Matrix, NormKind, NormOver, Pooling, Temperature, Vector};

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
    pub hidden_size: usize,
    /// Most positions that the model was made for.
    pub context_tokens: usize,
    /// False where every position sees every other.
    pub causal: bool,
    /// How token vectors become one, for an embedding model.
    pub pooling: Option<Pooling>,
    /// `[vocab, hidden_size]`.
    pub token_embd: Matrix,
    /// Factor of the embedded rows.
    pub embd_scale: f32,
    /// `[positions, hidden_size]`, where positions are learned.
    pub position_embd: Option<Matrix>,
    /// `[types, hidden_size]`; every token is of type 0.
    pub token_types: Option<Matrix>,
    /// Norm of the embedded rows.
    pub embd_norm: Option<Norm>,
    /// The blocks.
    pub layers: Vec<Layer>,
    /// Norm before the head.
    pub final_norm: Option<Norm>,
    /// `[vocab, hidden_size]`; absent for an encoder. The token embedding itself where the file ties them.
    pub head: Option<Matrix>,
    /// Factor of the logits.
    pub logit_scale: f32,
    /// Logits become cap * tanh(logit / cap); 0 for none.
    pub logit_cap: f32,
    /// Inputs that layers have of their own.
    pub layer_inputs: Option<LayerInputs>,
    /// Matrices after the last norm of an embedding model.
    pub dense: Vec<Matrix>,
    /// Rotations that layers refer to.
    pub ropes: Vec<Rope>,
    /// True where the feed-forward part reads what attention reads.
    pub parallel: bool,
    /// Factor of what the parts add to the residual stream.
    pub residual_scale: f32,
}

impl ModelSpec {
    /// True where a mixer keeps a state of every sequence beside the KV cache.
    pub fn is_recurrent(&self) -> bool {
        self.layers.iter().any(|layer| !matches!(layer.mixer, Mixer::Attention(_)))
    }

    /// The matrices that multiply rows, and the token embedding. Stacks of experts are none of them.
    pub fn matrices(&self) -> Vec<&Matrix> {
        let mut all = vec![&self.token_embd];
        all.extend(&self.head);
        all.extend(&self.dense);
        all.extend(self.layer_inputs.as_ref().map(|l| &l.proj));
        for layer in &self.layers {
            match &layer.mixer {
                Mixer::Attention(m) => all.extend(&m.qkv),
                Mixer::ShortConv(m) => all.push(&m.input),
                Mixer::Mamba2(m) => all.push(&m.input),
                Mixer::GatedDelta(m) => all.extend([&m.qkv, &m.gate, &m.beta, &m.alpha]),
            }
            all.push(layer.mixer.out());
            all.extend(layer.beside.iter().flat_map(|a| a.qkv.iter().chain([&a.out])));
            match &layer.ffn.experts {
                Some(experts) => {
                    all.push(&experts.router);
                    if let Some(shared) = &experts.shared {
                        all.extend(shared.ffn.up.iter().chain([&shared.ffn.down]).chain(&shared.gate));
                    }
                }
                None => all.extend(layer.ffn.up.iter().chain([&layer.ffn.down])),
            }
            all.extend(layer.input.iter().flat_map(|l| [&l.gate, &l.proj]));
        }
        all
    }
}

/// One block.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Norm before the mixer.
    pub attn_norm: Option<Norm>,
    /// The mixer.
    pub mixer: Mixer,
    /// Attention that reads the same and adds beside a recurrent mixer.
    pub beside: Option<Attention>,
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
    /// What the layer adds of its own input (Gemma 4).
    pub input: Option<LayerInput>,
    /// `[1]`: factor of the residual stream after the layer.
    pub out_scale: Option<Vector>,
}

/// How tokens of a sequence see each other.
#[derive(Debug, Clone)]
#[allow(missing_docs, clippy::large_enum_variant)] // One per layer, made once.
pub enum Mixer {
    Attention(Attention),
    ShortConv(ShortConv),
    Mamba2(Mamba2),
    GatedDelta(GatedDelta),
}

impl Mixer {
    /// The matrix from the mixed row back to the residual stream.
    pub fn out(&self) -> &Matrix {
        match self {
            Mixer::Attention(m) => &m.out,
            Mixer::ShortConv(m) => &m.out,
            Mixer::Mamba2(m) => &m.out,
            Mixer::GatedDelta(m) => &m.out,
        }
    }
}

/// Short convolution (LFM 2): with b, c, z = in(x), the mixed row is c * conv(b * z).
#[derive(Debug, Clone)]
pub struct ShortConv {
    /// `[3 hidden_size, hidden_size]`.
    pub input: Matrix,
    /// `[hidden_size, kernel]`.
    pub conv: Vector,
    /// Taps.
    pub kernel: usize,
    /// `[hidden_size, hidden_size]`.
    pub out: Matrix,
}

/// Mamba-2 (Dao and Gu, 2024, arXiv 2405.21060).
#[derive(Debug, Clone)]
pub struct Mamba2 {
    /// `[2 inner_size + 2 groups * state + heads, hidden_size]`: z, x, B, C, dt.
    pub input: Matrix,
    /// `[inner_size + 2 groups * state, kernel]`.
    pub conv: Vector,
    /// Bias of the convolution.
    pub conv_bias: Option<Vector>,
    /// Taps.
    pub kernel: usize,
    /// `[heads]`, added to dt.
    pub dt_bias: Vector,
    /// `[heads]`, negative decay rates.
    pub a: Vector,
    /// `[heads]`, what passes directly.
    pub d: Vector,
    /// `[inner_size]`, over groups of `inner_size / groups`.
    pub norm: Option<Norm>,
    /// `[hidden_size, inner_size]`.
    pub out: Matrix,
    /// Width inside.
    pub inner_size: usize,
    /// Heads.
    pub heads: usize,
    /// Groups that share B and C.
    pub groups: usize,
    /// State per value.
    pub state: usize,
}

/// Gated delta net (Yang et al., 2024, arXiv 2412.06464).
#[derive(Debug, Clone)]
pub struct GatedDelta {
    /// `[2 key_heads * key_len + inner_size, hidden_size]`: q, k, v.
    pub qkv: Matrix,
    /// `[inner_size, hidden_size]`.
    pub gate: Matrix,
    /// `[value_heads, hidden_size]`, how much of a value is written.
    pub beta: Matrix,
    /// `[value_heads, hidden_size]`, decay.
    pub alpha: Matrix,
    /// `[channels, kernel]`.
    pub conv: Vector,
    /// Bias of the convolution.
    pub conv_bias: Option<Vector>,
    /// Taps.
    pub kernel: usize,
    /// `[value_heads]`, added to alpha.
    pub dt_bias: Vector,
    /// `[value_heads]`, negative decay rates.
    pub a: Vector,
    /// `[value_len]`, of every head.
    pub norm: Norm,
    /// `[hidden_size, inner_size]`.
    pub out: Matrix,
    /// Heads of q and k; value head h reads key head h % key_heads.
    pub key_heads: usize,
    /// Values per key head.
    pub key_len: usize,
    /// Heads of v.
    pub value_heads: usize,
    /// Values per value head.
    pub value_len: usize,
}

/// What a layer makes of its own input.
#[derive(Debug, Clone)]
pub struct LayerInput {
    /// `[len, hidden_size]`, activated, times the layer's input.
    pub gate: Matrix,
    /// `[hidden_size, len]`.
    pub proj: Matrix,
    /// Norm of what is added.
    pub norm: Norm,
}

/// Inputs of all layers, made of the tokens: (norm(proj x / sqrt(hidden_size)) + embd * sqrt(len)) / sqrt(2).
#[derive(Debug, Clone)]
pub struct LayerInputs {
    /// `[vocab, layers * len]`.
    pub embd: Matrix,
    /// `[layers * len, hidden_size]`.
    pub proj: Matrix,
    /// `[len]`, of every layer's part.
    pub norm: Norm,
    /// Values of one layer's input.
    pub len: usize,
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
    /// One matrix with the rows of q, k and v, or three; without v where values are keys, only q where the layer reads
    /// the cache of another.
    pub qkv: Vec<Matrix>,
    /// True where every head of q is followed by a gate of the head's output.
    pub gated: bool,
    /// True where values are the keys before norm and rotation.
    pub values_are_keys: bool,
    /// Epsilon of the norm of every value head, which has no weight.
    pub value_norm: Option<f32>,
    /// The layer whose cache is read instead of an own one.
    pub cache_of: Option<usize>,
    /// Norm of every query head, `[head_len]` or `[heads, head_len]`, or of the whole row of queries.
    pub q_norm: Option<Norm>,
    /// Norm of every key head, `[head_len]` or `[kv_heads, head_len]`, or of the whole row of keys.
    pub k_norm: Option<Norm>,
    /// What these norms are over.
    pub norm_over: NormOver,
    /// True where these norms come after the rotation.
    pub norm_after_rope: bool,
    /// `[hidden_size, heads * head_len]`.
    pub out: Matrix,
    /// Factor of the scores.
    pub scale: f32,
    /// `[heads]`: scores of nothing, which every query also sees.
    pub sinks: Option<Vector>,
    /// Scores become cap * tanh(score / cap); 0 for none.
    pub cap: f32,
    /// Causal: positions that a token sees, itself included. Else: how far it sees to either side.
    pub window: Option<usize>,
    /// Index into [`ModelSpec::ropes`].
    pub rope: Option<usize>,
    /// Scale of the queries that grows with the position.
    pub temperature: Option<Temperature>,
}

/// Feed-forward part.
#[derive(Debug, Clone)]
pub struct Ffn {
    /// `[ffn_size, hidden_size]` once (plain), twice (gate, then up), or once with both fused.
    pub up: Vec<Matrix>,
    /// True where the first half gates the second.
    pub gated: bool,
    /// Activation.
    pub act: Act,
    /// Inner size.
    pub ffn_size: usize,
    /// `[hidden_size, ffn_size]`.
    pub down: Matrix,
    /// Where there are experts: `up` and `down` hold the rows of all of them, one after another.
    pub experts: Option<Experts>,
}

/// A choice of experts per token.
#[derive(Debug, Clone)]
pub struct Experts {
    /// `[count, hidden_size]`.
    pub router: Matrix,
    /// How many there are.
    pub count: usize,
    /// How many a token uses.
    pub used: usize,
    /// True where an expert's probability is the sigmoid of its logit, false where it is its share of the softmax.
    pub sigmoid: bool,
    /// `[count]`: added to the probabilities for the choice, not for the weights.
    pub bias: Option<Vector>,
    /// True where the weights of those are scaled to a sum of 1.
    pub normalise: bool,
    /// Factor of the weights.
    pub scale: f32,
    /// What every token uses as well.
    pub shared: Option<Box<SharedExpert>>,
}

/// An expert that every token uses.
#[derive(Debug, Clone)]
pub struct SharedExpert {
    /// Its products.
    pub ffn: Ffn,
    /// `[1, hidden_size]`: its output is multiplied by the sigmoid of this product.
    pub gate: Option<Matrix>,
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
