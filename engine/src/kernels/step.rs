//! The steps of a plan: what a kernel computes, on which buffers. An executor has one kernel (or one function) a step.

use crate::plan::{
    Act, BufferId, Finish, Index, Kv, NormOver, NormUse, Pooling, RopePairs, Rows, Temperature, VectorId,
    View, WeightId,
};

/// One step.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum Step {
    Embed(Embed),
    Norm(NormRows),
    Linear(Linear),
    RopeStore(RopeStore),
    Attend(Attend),
    Conv(Conv),
    Mamba2(Mamba2Scan),
    Delta(DeltaScan),
    GatedNorm(GatedNorm),
    Route(Route),
    ExpertsUp(ExpertsUp),
    ExpertsDown(ExpertsDown),
    Scale(Scale),
    Clear(Clear),
    Gate(GateRows),
    Pool(Pool),
    ChunkTops(ChunkTops),
    Top(Top),
    Shortlist(Shortlist),
    Draw(Draw),
}

/// out[t] (+)= scale * table[index(t)].
#[derive(Debug, Clone)]
pub struct Embed {
    /// `[rows, width]`.
    pub table: WeightId,
    /// Which row for token `t`.
    pub index: Index,
    /// True to add to what is there.
    pub add: bool,
    /// Factor of the rows.
    pub scale: f32,
    /// `[tokens, width]`.
    pub out: View,
}

/// out[t] (+)= scale * norm(input[t]).
#[derive(Debug, Clone)]
pub struct NormRows {
    /// Never the same buffer as `out`.
    pub input: View,
    /// Normalised rows.
    pub out: View,
    /// Which norm.
    pub norm: NormUse,
    /// Which rows.
    pub rows: Rows,
    /// Parts of a row that are normalised on their own; `cols` of the views are those of a part, parts lie side by side.
    pub parts: usize,
    /// True to add to what is there.
    pub add: bool,
    /// Factor of the normalised row.
    pub scale: f32,
}

/// out[t] = finish(scale * (weight * norm(input[t]) + bias + delta[t])).
#[derive(Debug, Clone)]
pub struct Linear {
    /// `[outputs, inputs]`; twice the outputs where `finish` is gated.
    pub weight: WeightId,
    /// `[tokens, inputs]`.
    pub input: View,
    /// Where present, the input is made here, for what comes later too.
    pub sum: Option<Sum>,
    /// Folded into the product, for one token at a time.
    pub norm: Option<NormUse>,
    /// `[outputs]`.
    pub bias: Option<VectorId>,
    /// Of [`Finish::Cap`].
    pub cap: f32,
    /// Factor of the product, bias included; 1 where `finish` has an activation.
    pub scale: f32,
    /// True where the product is an adapter's: its factor of the run comes on top.
    pub by_factor: bool,
    /// What happens to the product.
    pub finish: Finish,
    /// What an adapter adds to the product, `[tokens, rows of the weight]`.
    pub delta: Option<View>,
    /// `[tokens, outputs]`.
    pub out: View,
    /// Which rows.
    pub rows: Rows,
}

impl Linear {
    /// out[t] = weight * input[t], for every token.
    pub fn new(weight: WeightId, input: View, out: View) -> Self {
        Linear {
            weight,
            input,
            sum: None,
            norm: None,
            bias: None,
            cap: 0.0,
            scale: 1.0,
            by_factor: false,
            finish: Finish::Store,
            delta: None,
            out,
            rows: Rows::Tokens,
        }
    }
}

/// input[t] = x[t] + scale * norm(y[t]): a sum that the first reader of the residual stream makes on its way.
#[derive(Debug, Clone, Copy)]
pub struct Sum {
    /// The stream so far; never the buffer of the input.
    pub x: View,
    /// What is added.
    pub y: View,
    /// An RMS norm without biases.
    pub norm: NormUse,
    /// Factor of the normalised row.
    pub scale: f32,
}

/// q[t] = rotate(norm(q of qkv[t])); the same for k, which goes to the KV cache at the token's position with v.
#[derive(Debug, Clone)]
pub struct RopeStore {
    /// `[tokens, (heads + 2 kv_heads) * head_len]`: q, k, v.
    pub qkv: View,
    /// True where every head of q is followed by a gate, which is passed over.
    pub gated: bool,
    /// True where v are the keys before norm and rotation.
    pub values_are_keys: bool,
    /// Epsilon of the norm of every value head.
    pub value_norm: Option<f32>,
    /// False where the cache belongs to another layer, and only q is made.
    pub store: bool,
    /// `[tokens, heads * head_len]`.
    pub q: View,
    /// The layer's pools.
    pub kv: Kv,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads.
    pub kv_heads: usize,
    /// Values per head.
    pub head_len: usize,
    /// Which lanes rotate together.
    pub pairs: RopePairs,
    /// Lanes that rotate.
    pub rope_len: usize,
    /// cos and sin, `[context, rope_len / 2, 2]`.
    pub rope: Option<BufferId>,
    /// Norms of q and k.
    pub norms: Option<(NormUse, NormUse)>,
    /// True where the norms come after the rotation.
    pub norm_after: bool,
    /// What the norms are over.
    pub norm_over: NormOver,
    /// Scale of the queries that grows with the position.
    pub temperature: Option<Temperature>,
}

/// out[t] = softmax(scale * q[t] K^T) V per head, over the cached positions that token `t` may see.
#[derive(Debug, Clone)]
pub struct Attend {
    /// `[tokens, heads * head_len]`.
    pub q: View,
    /// The layer's pools.
    pub kv: Kv,
    /// `[tokens, heads * head_len]`.
    pub out: View,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads.
    pub kv_heads: usize,
    /// Values per head.
    pub head_len: usize,
    /// Factor of the scores.
    pub scale: f32,
    /// Whether a token sees only itself and what came before.
    pub causal: bool,
    /// Causal: positions that a token sees, itself included. Else: how far it sees to either side.
    pub window: Option<usize>,
    /// Scores become cap * tanh(score / cap); 0 for none.
    pub cap: f32,
    /// Scores of nothing, one a head.
    pub sinks: Option<VectorId>,
    /// The row of q in which every head is followed by a gate: the output is multiplied by its sigmoid.
    pub gate: Option<View>,
    /// For one token at a time, `[tokens, heads, splits, head_len + 2]`: where workgroups that share what a token sees may
    /// leave their parts.
    pub parts: Option<View>,
}

/// Causal convolution of every channel over time, with the last inputs kept from run to run.
/// Plain: out[t, c] = silu(sum_j w[c, j] * x[t - kernel + 1 + j, c] + bias[c]).
/// Gated: the row is b, c, z of `channels` each; out = c * conv(b * z), without activation.
#[derive(Debug, Clone)]
pub struct Conv {
    /// `[tokens, channels]`, or `[tokens, 3 channels]` where gated.
    pub input: View,
    /// `[tokens, channels]`.
    pub out: View,
    /// Channels.
    pub channels: usize,
    /// Taps.
    pub kernel: usize,
    /// `[channels, kernel]`.
    pub weight: VectorId,
    /// `[channels]`.
    pub bias: Option<VectorId>,
    /// Which of the two forms.
    pub gated: bool,
    /// `[slots, channels, kernel - 1]`.
    pub state: BufferId,
}

/// Per head and value p: S = S * exp(dt * a) + dt * x[p] * B; out[p] = S . C + d * x[p], dt = softplus(dt + bias).
#[derive(Debug, Clone)]
pub struct Mamba2Scan {
    /// `[tokens, inner + 2 groups * state]`: x, B, C after the convolution.
    pub xbc: View,
    /// `[tokens, heads]`: dt.
    pub dt: View,
    /// `[tokens, inner]`.
    pub out: View,
    /// Heads.
    pub heads: usize,
    /// Values per head.
    pub head_len: usize,
    /// Groups that share B and C.
    pub groups: usize,
    /// Length of B and C.
    pub state_len: usize,
    /// Bias of dt, decay rates a, and d: `[heads]` each.
    pub vectors: [VectorId; 3],
    /// `[slots, inner, state_len]`.
    pub state: BufferId,
}

/// Per value head and value i: S = S * exp(g); e = (v[i] - S . k) * beta; S = S + e * k; out[i] = S . q, with q and k of
/// unit length, q divided by sqrt(key_len), beta = sigmoid(beta), g = softplus(alpha + bias) * a.
#[derive(Debug, Clone)]
pub struct DeltaScan {
    /// `[tokens, 2 key_heads * key_len + inner]`: q, k, v after the convolution.
    pub qkv: View,
    /// `[tokens, value_heads]`.
    pub beta: View,
    /// `[tokens, value_heads]`.
    pub alpha: View,
    /// `[tokens, inner]`.
    pub out: View,
    /// Heads of q and k.
    pub key_heads: usize,
    /// Values per key head.
    pub key_len: usize,
    /// Heads of v.
    pub value_heads: usize,
    /// Values per value head.
    pub value_len: usize,
    /// Added under the root of the lengths of q and k.
    pub eps: f32,
    /// Bias of alpha and decay rates a: `[value_heads]` each.
    pub vectors: [VectorId; 2],
    /// `[slots, inner, key_len]`.
    pub state: BufferId,
}

/// out[t, g] = norm(x[t, g] * silu(gate[t, g])), or norm(x[t, g]) * silu(gate[t, g]), group by group.
#[derive(Debug, Clone)]
pub struct GatedNorm {
    /// `[tokens, groups * len]`.
    pub input: View,
    /// `[tokens, groups * len]`.
    pub gate: View,
    /// `[tokens, groups * len]`.
    pub out: View,
    /// Groups.
    pub groups: usize,
    /// Values of a group.
    pub len: usize,
    /// True to gate first.
    pub gate_first: bool,
    /// True where the weight goes on from group to group.
    pub own_weights: bool,
    /// Factors; without them there is only the gate.
    pub weight: Option<VectorId>,
    /// Added to the mean square.
    pub eps: f32,
}

/// The experts with the largest probability, and their weights.
#[derive(Debug, Clone)]
pub struct Route {
    /// `[tokens, experts]`.
    pub logits: View,
    /// `[tokens, used]` pairs: id (u32 bits), weight.
    pub out: View,
    /// How many there are.
    pub experts: usize,
    /// How many a token uses.
    pub used: usize,
    /// True where a probability is the sigmoid of a logit.
    pub sigmoid: bool,
    /// `[experts]`, added for the choice.
    pub bias: Option<VectorId>,
    /// True where the weights are scaled to a sum of 1.
    pub normalise: bool,
    /// Factor of the weights.
    pub scale: f32,
}

/// out[t * used + s] = act(gate_e * norm(input[t]) + bias) * (up_e * norm(input[t]) + bias), e the s-th expert of token t.
#[derive(Debug, Clone)]
pub struct ExpertsUp {
    /// Gate and up of all experts, joined.
    pub weight: WeightId,
    /// `[tokens, width]`.
    pub input: View,
    /// Folded into the product, for one token at a time.
    pub norm: Option<NormUse>,
    /// Of all rows of the weight.
    pub bias: Option<VectorId>,
    /// Of [`Route`].
    pub route: View,
    /// Experts per token.
    pub used: usize,
    /// Outputs of one expert.
    pub inner: usize,
    /// Activation.
    pub act: Act,
    /// `[tokens * used, inner]`.
    pub out: View,
}

/// out[t] += scale * sum_s weight_s * (down_e * input[t * used + s] + bias_e), e the s-th expert of token t.
#[derive(Debug, Clone)]
pub struct ExpertsDown {
    /// All experts.
    pub weight: WeightId,
    /// Of all rows of the weight.
    pub bias: Option<VectorId>,
    /// `[tokens * used, inner]`.
    pub input: View,
    /// Of [`Route`].
    pub route: View,
    /// Experts per token.
    pub used: usize,
    /// Factor of the sum.
    pub scale: f32,
    /// `[tokens, width]`.
    pub out: View,
}

/// x[t] *= vector[0].
#[derive(Debug, Clone)]
pub struct Scale {
    /// `[tokens, width]`.
    pub x: View,
    /// One value.
    pub by: VectorId,
}

/// x[t] = 0.
#[derive(Debug, Clone)]
pub struct Clear {
    /// `[tokens, width]`.
    pub x: View,
}

/// x[t] *= sigmoid(by[t][0]).
#[derive(Debug, Clone)]
pub struct GateRows {
    /// `[tokens, width]`.
    pub x: View,
    /// `[tokens, 1]`.
    pub by: View,
}

impl Attend {
    /// The cached positions that the token at `position` sees, where `end` are cached.
    pub fn seen(&self, position: usize, end: usize) -> std::ops::Range<usize> {
        match (self.causal, self.window) {
            (true, None) => 0..position + 1,
            (true, Some(w)) => (position + 1).saturating_sub(w)..position + 1,
            (false, None) => 0..end,
            (false, Some(w)) => position.saturating_sub(w)..(position + w + 1).min(end),
        }
    }
}

/// out[s] = the rows of the tokens of sequence `s` made one.
#[derive(Debug, Clone)]
pub struct Pool {
    /// `[tokens, width]`.
    pub input: View,
    /// `[sequences, width]`.
    pub out: View,
    /// How.
    pub how: Pooling,
}

/// candidates[row][chunk] = key and id of the largest logit of a chunk of each output row, the lowest id among equals.
#[derive(Debug, Clone)]
pub struct ChunkTops {
    /// `[outputs, vocab]`.
    pub logits: View,
    /// `[outputs, chunks]` pairs.
    pub candidates: BufferId,
    /// Chunks of [`crate::plan::CHUNK`] ids.
    pub chunks: usize,
}

/// chosen[row] = the id of the largest candidate. Where the run goes on from here, it becomes the id of token `row`, at
/// the position behind.
#[derive(Debug, Clone)]
pub struct Top {
    /// Of [`ChunkTops`].
    pub candidates: BufferId,
    /// Of a row.
    pub chunks: usize,
    /// One u32 a row.
    pub chosen: BufferId,
    /// Records of tokens.
    pub tokens: BufferId,
}

/// Penalises the logits of what is in a row's history, then candidates[row][chunk] = the largest of a chunk, as many as
/// [`crate::plan::SHORTLIST`].
#[derive(Debug, Clone)]
pub struct Shortlist {
    /// `[outputs, vocab]`; changed by the penalty.
    pub logits: View,
    /// A [`crate::plan::Sampling`] a row.
    pub sampling: BufferId,
    /// `[outputs, chunks, SHORTLIST]` pairs of key and id.
    pub candidates: BufferId,
    /// Chunks of [`crate::plan::CHUNK`] ids.
    pub chunks: usize,
}

/// chosen[row] = one of the candidates, drawn as the row's [`crate::plan::Sampling`] says; it goes into the history, and on as
/// in [`Top`].
#[derive(Debug, Clone)]
pub struct Draw {
    /// What the candidates are of, where an executor draws from all of it.
    pub logits: View,
    /// A [`crate::plan::Sampling`] a row.
    pub sampling: BufferId,
    /// Of [`Shortlist`].
    pub candidates: BufferId,
    /// Of a row.
    pub chunks: usize,
    /// One u32 a row.
    pub chosen: BufferId,
    /// Records of tokens.
    pub tokens: BufferId,
}
