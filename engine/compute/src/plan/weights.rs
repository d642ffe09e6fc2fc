//! Where weights lie.

use super::tensors::Vector;
use crate::formats::Format;

/// Index into [`super::Layout::weights`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WeightId(pub usize);

/// Index into [`super::Layout::vectors`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VectorId(pub usize);

/// A matrix as the executors see it.
#[derive(Debug, Clone)]
pub struct Weight {
    /// How it is stored.
    pub format: &'static Format,
    /// Inputs.
    pub cols: usize,
    /// Outputs.
    pub outputs: usize,
    /// Rows per output: 2 where gate and up are joined.
    pub rows_per_output: usize,
    /// One per buffer.
    pub shards: Vec<Shard>,
}

/// A piece of a weight that fits one binding. Its rows are those of `parts`, in order.
#[derive(Debug, Clone)]
pub struct Shard {
    /// First output.
    pub first: usize,
    /// Outputs; rows are this times `rows_per_output`.
    pub outputs: usize,
    /// Which rows of which tensors.
    pub parts: Vec<Part>,
    /// Where each plane lies in the shard's buffer.
    pub planes: Vec<PlanePlace>,
    /// Where the format's codebook lies behind them; a multiple of 16.
    pub codebook_offset_bytes: usize,
    /// Length of the buffer.
    pub bytes: usize,
    /// Which worker of the CPU holds it; 0 is the one that runs the plan.
    pub thread: usize,
}

/// Rows of a tensor inside a shard.
#[derive(Debug, Clone)]
pub struct Part {
    /// Tensor name.
    pub tensor: String,
    /// First row in the tensor.
    pub tensor_row: usize,
    /// Number of rows.
    pub rows: usize,
    /// First row in the shard.
    pub shard_row: usize,
    /// Factors of the tensor's matrices, and how many rows one has.
    pub scale: Option<(Vector, usize)>,
}

/// A plane inside a shard's buffer.
#[derive(Debug, Clone, Copy)]
pub struct PlanePlace {
    /// Multiple of 16.
    pub offset_bytes: usize,
    /// From row to row.
    pub stride_bytes: usize,
}

/// A vector inside the vectors buffer.
#[derive(Debug, Clone)]
pub struct VectorPlace {
    /// The tensors that are joined in it, each with its first value in the vectors buffer. Gaps stay zero.
    pub parts: Vec<(usize, Vector)>,
    /// First value; a multiple of 4.
    pub offset: usize,
    /// Values.
    pub len: usize,
}
