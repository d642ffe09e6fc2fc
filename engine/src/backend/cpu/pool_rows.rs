//! Pooling of token rows.

use super::Shared;
use crate::models::Pooling;
use crate::plan::Pool;

/// out = the token rows made one.
pub fn pool_rows(s: &mut Shared, step: &Pool) {
    let tokens = s.state.tokens as usize;
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let input = &s.buffers[step.input.buffer.0];
    let row = |t: usize| &input[step.input.offset + t * step.input.stride..][..step.input.cols];
    let (first, last) = match step.how {
        Pooling::Mean => (0, tokens),
        Pooling::First => (0, 1),
        Pooling::Last => (tokens - 1, tokens),
    };
    let out_row = &mut out[step.out.offset..][..step.out.cols];
    out_row.fill(0.0);
    for t in first..last {
        for (out, v) in out_row.iter_mut().zip(row(t)) {
            *out += v / (last - first) as f32;
        }
    }
    s.buffers[step.out.buffer.0] = out;
}
