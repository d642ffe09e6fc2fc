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
    /// `[rows]`.
    pub bias: Option<Vector>,
    /// Factors of the whole matrix, `[1]`, or of each of those stacked in it. Only in formats with a plane for them.
    pub scale: Option<Vector>,
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
