//! Tensors of a file, by name.

use crate::formats::Format;

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
    /// `[rows]` in all, one after another; empty where it has none.
    pub bias: Vec<Vector>,
    /// Which rows of the tensor they are, where not all of them.
    pub runs: Option<Runs>,
    /// Factors of the whole matrix, `[1]`, or of each of those stacked in it. Only in formats with a plane for them.
    pub scale: Option<Vector>,
}

/// Rows of a tensor that do not follow each other: the first `len` of every `step`, from row `first` on.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct Runs {
    pub first: usize,
    pub len: usize,
    pub step: usize,
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
