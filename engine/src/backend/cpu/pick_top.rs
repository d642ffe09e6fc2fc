//! The greedy choice.

use super::Shared;
use crate::plan::Top;

/// The id with the largest logit of the last output row; the lowest id among equals.
pub fn pick_top(s: &mut Shared, step: &Top) {
    let row = s.state.out_rows.saturating_sub(1) as usize;
    let logits =
        &s.buffers[step.logits.buffer.0][step.logits.offset + row * step.logits.stride..][..step.logits.cols];
    let mut best = 0;
    for (i, v) in logits.iter().enumerate() {
        if *v > logits[best] {
            best = i;
        }
    }
    s.top = best as u32;
    s.ids[0] = s.top;
}
