//! What can be chosen of a kernel, with all else as it is.

use super::dispatch::Batch;
use super::tuning::Tuning;

/// What can be chosen by itself: shapes that differ in one respect, and what runs otherwise with them.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The step's name.
    pub step: &'static str,
    /// For how many tokens it differs.
    pub batches: &'static [Batch],
    /// All that there are, of which one is in use.
    pub shapes: Vec<Tuning>,
}
