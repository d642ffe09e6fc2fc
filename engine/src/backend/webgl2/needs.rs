//! What a plan needs of a device, before anything is made.

use std::collections::{HashMap, HashSet};

use super::context::TEXEL_BYTES;
use super::images::{STRIP, copied_bytes, texels, texture_bytes};
use crate::backend::run::RING;
use crate::kernels::draws;
use crate::plan::{Memory, STEPS_MAX, State};
use crate::planner::{Plan, PlanError};
use crate::shaders::{DrawCall, scratch_words};

/// Blocks of uniforms start on multiples of this; the largest alignment that a device may ask for.
const UNIFORM_ALIGN_BYTES: usize = 256;

/// Every list of draws of a plan.
fn lists(plan: &Plan) -> impl Iterator<Item = Vec<DrawCall>> {
    let bodies = plan.bodies.iter().flat_map(|body| [&body.prefill, &body.head]);
    bodies.chain([&plan.greedy]).map(|steps| draws(&plan.layout, steps))
}

/// Says no where one of the textures that draws need besides the plan's buffers is larger than the device allows.
///
/// # Errors
/// `TooLarge` with the texture's name and both sizes.
pub fn check(plan: &Plan) -> Result<(), PlanError> {
    let have_bytes = plan.layout.limits.buffer_bytes;
    for (scratch, words) in lists(plan).flat_map(|draws| scratch_words(&plan.layout, &draws)) {
        let need_bytes = texture_bytes(words);
        if need_bytes > have_bytes {
            let what = format!("the texture for {}", scratch.name());
            return Err(PlanError::TooLarge { what, need_bytes, have_bytes });
        }
    }
    Ok(())
}

/// What an executor of this plan will hold.
pub fn memory_of(plan: &Plan) -> Memory {
    let (mut twins, mut scratch) = (HashSet::new(), HashMap::new());
    let mut bytes = 0;
    for draws in lists(plan) {
        bytes += uniforms_bytes(&draws);
        twins.extend(draws.iter().filter_map(|draw| draw.target.twin_of()));
        for (texture, words) in scratch_words(&plan.layout, &draws) {
            let most: &mut usize = scratch.entry(texture).or_default();
            *most = words.max(*most);
        }
    }
    let twins = twins.iter().map(|id| plan.layout.buffers[id.0].len);
    let textures: u64 = twins.chain(scratch.into_values()).map(texture_bytes).sum();
    let [rows_bytes, chosen_bytes] = back_bytes(plan);
    bytes += size_of::<State>() + rows_bytes + RING * chosen_bytes;
    plan.layout.memory(|bytes| texture_bytes(bytes as usize / 4), textures + bytes as u64)
}

/// Where a draw's constants end, so that those of the next may begin there.
pub fn slot(draw: &DrawCall) -> usize {
    draw.params.len().next_multiple_of(UNIFORM_ALIGN_BYTES)
}

/// Of the constants of a list.
pub fn uniforms_bytes(draws: &[DrawCall]) -> usize {
    draws.iter().map(slot).sum()
}

/// Read-backs of rows, and of what a run has chosen.
pub fn back_bytes(plan: &Plan) -> [usize; 2] {
    let rows = copied_bytes(0, texels(plan.back_len()).max(1)) + STRIP * TEXEL_BYTES;
    [rows, STEPS_MAX * copied_bytes(0, texels(plan.layout.options.logits_rows))]
}
