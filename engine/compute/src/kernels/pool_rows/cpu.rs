//! Pooling of token rows.

use super::PoolRows;
use crate::kernels::shared::Cpu;
use crate::plan::Pooling;

/// out[s] = the rows of the tokens of sequence `s` made one.
pub fn pool_rows(s: &mut Cpu, step: &PoolRows) {
    let sequences = s.sequences();
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let input = &s.buffers[step.input.buffer.0];
    let row = |t: usize| &input[step.input.offset + t * step.input.stride..][..step.input.cols];
    for (i, tokens) in sequences.into_iter().enumerate() {
        let pooled = match step.how {
            Pooling::Mean => tokens,
            Pooling::First => tokens.start..tokens.start + 1,
            Pooling::Last => tokens.end - 1..tokens.end,
        };
        let out_row = &mut out[step.out.offset + i * step.out.stride..][..step.out.cols];
        out_row.fill(0.0);
        let share = 1.0 / pooled.len() as f32;
        for t in pooled {
            for (out, v) in out_row.iter_mut().zip(row(t)) {
                *out += v * share;
            }
        }
    }
    s.buffers[step.out.buffer.0] = out;
}
