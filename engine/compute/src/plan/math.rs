//! Which functions steps compute: enums of activations, norms, rotations, poolings.

use super::weights::VectorId;

/// Which lanes of a head rotate together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RopePairs {
    /// Lane `i` with lane `i + n/2`.
    Half,
    /// Lane `2 i` with lane `2 i + 1`.
    Adjacent,
    /// No rotation.
    None,
}

/// Activation of the feed-forward part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// x / (1 + exp(-x)).
    Silu,
    /// The tanh form of GELU, as llama.cpp computes it for every model that says "gelu".
    Gelu,
    /// The square of x, 0 for what is below 0.
    ReluSquared,
    /// x / (1 + exp(-1.702 x)) of a bounded gate; what it gates is bounded too, plus 1.
    BoundedSilu,
}

/// Bounds of [`Act::BoundedSilu`].
pub const ACT_BOUND: f32 = 7.0;

/// Which statistic a norm divides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NormKind {
    /// Root mean square.
    Rms,
    /// Standard deviation around the mean.
    Layer,
}

/// A norm with its parameters placed.
#[derive(Debug, Clone, Copy)]
pub struct NormUse {
    /// Its statistic.
    pub kind: NormKind,
    /// Added to the variance.
    pub eps: f32,
    /// Factors.
    pub weight: VectorId,
    /// Summands.
    pub bias: Option<VectorId>,
}

/// What a norm of queries or keys is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NormOver {
    /// Every head, all with the same factors.
    Heads,
    /// Every head, with factors of its own.
    EachHead,
    /// The whole row.
    Row,
}

/// Queries at position p are multiplied by 1 + scale * ln(floor(p / original_tokens) + 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temperature {
    /// Its factor.
    pub scale: f32,
    /// Where it sets in.
    pub original_tokens: usize,
}

/// What happens to a product before it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Epilogue {
    /// out = y.
    Store,
    /// out += y.
    Add,
    /// out = act(y).
    Act(Act),
    /// out = act(first half) * second half.
    Gated(Act),
    /// out = cap * tanh(y / cap).
    Cap,
    /// out *= act(y): gating where gate and up are stored differently and cannot be joined.
    Gate(Act),
}

/// What selects a row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// The token's id.
    Id,
    /// The token's position.
    Position,
    /// Always row 0.
    Zero,
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
