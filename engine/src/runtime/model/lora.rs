//! Which of a model's adapters acts.

use crate::planner::Plan;

/// An adapter of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoraId(pub(super) usize);

impl LoraId {
    /// Of the adapter that a plan got last.
    pub(in crate::runtime) fn last_of(plan: &Plan) -> Self {
        LoraId(plan.loras.len())
    }
}

/// An adapter and how strongly it acts: 1 as it was trained, 0 not at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoraUse {
    /// Which.
    pub id: LoraId,
    /// Factor of what it adds.
    pub factor: f32,
}
