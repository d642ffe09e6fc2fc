//! Sums that products make on their way.

use crate::plan::{NormUse, VectorId, View};

/// input[t] = by * (x[t] + scale * norm(y[t])): a sum that the first reader of the residual stream makes on its way.
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
    /// One value, a factor of all.
    pub by: Option<VectorId>,
}
