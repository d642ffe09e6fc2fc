//! The greedy choice.

use super::Shared;
use crate::backend::Token;
use crate::plan::Top;

/// The id with the largest logit of each output row, the lowest id among equals.
pub fn pick_top(s: &mut Shared, step: &Top) {
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
        let id = best as u32;
        s.chosen.push(id);
        if s.state.feed == 1 {
            let token = s.tokens[s.state.out_first as usize + row];
            s.tokens[row] = Token { id, position: token.position + 1, end: token.end + 1, ..token };
        }
    }
}
