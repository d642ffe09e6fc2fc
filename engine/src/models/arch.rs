//! What a file does not say about itself.

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
}

/// The facts of an architecture that its files do not carry. [`BASE`] says what holds when nothing is said.
#[derive(Debug)]
pub struct Arch {
    /// `general.architecture`.
    pub name: &'static str,
    /// How positions enter the heads.
    pub rope: RopePairs,
    /// Feed-forward activation.
    pub act: Act,
}

/// The usual decoder: rotation in halves, SiLU.
pub const BASE: Arch = Arch { name: "", rope: RopePairs::Half, act: Act::Silu };
