//! The greedy choice.

use super::ChunkTops;
use crate::kernels::shared::Cpu;

/// The id with the largest logit of each output row, the lowest id among equals: over all chunks at once.
pub fn chunk_tops(s: &mut Cpu, step: &ChunkTops) {
    s.chosen.clear();
    for row in 0..s.state.out_rows as usize {
        let logits = &s.buffers[step.logits.buffer.0][step.logits.offset + row * step.logits.stride..]
            [..step.logits.cols];
        let mut best = 0;
        for (i, v) in logits.iter().enumerate() {
            if *v > logits[best] {
                best = i;
            }
        }
        s.choose(row, best as u32);
    }
}
