//! What an executor needs for a plan: dispatches, constants, read-backs, memory.

use super::gpu::buffer_bytes;
use crate::backend::run::RING;
use crate::kernels::dispatches;
use crate::plan::{Memory, STEPS_MAX, State};
use crate::planner::Plan;
use crate::shaders::{Batch, Bound, Dispatch, Grid, Tuning};

/// Bindings of uniforms start on multiples of this; the largest alignment that a device may ask for.
const UNIFORM_ALIGN_BYTES: usize = 256;

/// Of the device's own buffer where nothing needs it.
pub const SCRATCH_BYTES_MIN: u64 = 4;

/// Most workgroups in one dimension that every device allows.
const GROUPS_MAX: u32 = 65_535;

/// What an executor of this plan will hold.
pub fn memory_of(plan: &Plan, tuning: &Tuning) -> Memory {
    let bodies = (0..plan.bodies.len()).flat_map(|body| lists(plan, body, tuning));
    let lists: Vec<_> = bodies.chain(choices(plan, tuning)).collect();
    let uniforms = lists.iter().map(|list| uniforms_bytes(list) as u64);
    let scratch = lists.iter().map(|list| scratch_bytes(list)).max();
    let [rows_bytes, chosen_bytes] = back_bytes(plan);
    let others = [size_of::<State>() as u64, 4, rows_bytes].into_iter().chain([chosen_bytes; RING]);
    plan.layout.memory(buffer_bytes, uniforms.chain(scratch).chain(others).map(buffer_bytes).sum())
}

/// The dispatches of a body, in the order of the recordings of an executor.
pub fn lists(plan: &Plan, body: usize, tuning: &Tuning) -> [Vec<Dispatch>; 5] {
    let body = &plan.bodies[body];
    let lists = [
        (&body.prefill, Batch::Many),
        (&body.decode, Batch::One),
        (&body.head, Batch::One),
        (&body.prefill, Batch::Few),
        (&body.head, Batch::Few),
    ];
    lists.map(|(steps, phase)| dispatches(&plan.layout, steps, phase, tuning))
}

/// The dispatches that choose: greedily, and by a draw.
pub fn choices(plan: &Plan, tuning: &Tuning) -> [Vec<Dispatch>; 2] {
    [&plan.greedy, &plan.sampled].map(|steps| dispatches(&plan.layout, steps, Batch::One, tuning))
}

/// Where a dispatch's constants end, so that those of the next may begin there.
pub fn slot(d: &Dispatch) -> usize {
    d.params.len().next_multiple_of(UNIFORM_ALIGN_BYTES)
}

pub fn uniforms_bytes(dispatches: &[Dispatch]) -> usize {
    dispatches.iter().map(slot).sum()
}

/// The device's own buffer that these dispatches need.
pub fn scratch_bytes(dispatches: &[Dispatch]) -> u64 {
    let of = |bound: &Bound| if let Bound::Scratch(bytes) = *bound { bytes } else { 0 };
    dispatches.iter().flat_map(|d| &d.bound).map(of).fold(SCRATCH_BYTES_MIN, u64::max)
}

/// Read-backs of rows, and of what a run has chosen.
pub fn back_bytes(plan: &Plan) -> [u64; 2] {
    [plan.back_len(), STEPS_MAX * plan.layout.options.logits_rows].map(|words| 4 * words as u64)
}

/// Workgroups of a grid in this run; what exceeds the limit in x goes to z, where the kernels expect it.
pub fn groups(grid: Grid, state: &State) -> (u32, u32, u32) {
    let x = grid.x.of(state);
    let z = x.div_ceil(GROUPS_MAX).max(1);
    (x.div_ceil(z), grid.y.of(state), z)
}
