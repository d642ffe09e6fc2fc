//! Norms over rows.

use super::NormRows;
use crate::kernels::shared::{Cpu, normalise};
use crate::plan::Rows;

/// out[t] (+)= scale * norm(input[t]).
pub fn norm_rows(s: &mut Cpu, step: &NormRows) {
    let (count, first) = match step.rows {
        Rows::Tokens => (s.state.tokens as usize, 0),
        Rows::Outputs => (s.state.out_rows as usize, s.state.out_first as usize),
    };
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let input = &s.buffers[step.input.buffer.0];
    let row_scratch = &mut s.scratch.rows;
    row_scratch.resize(step.input.cols, 0.0);
    for (t, part) in (0..count).flat_map(|t| (0..step.parts).map(move |part| (t, part))) {
        let shift = part * step.input.cols;
        let row = &input[step.input.offset + (first + t) * step.input.stride + shift..][..step.input.cols];
        let out = &mut out[step.out.offset + t * step.out.stride + shift..][..step.out.cols];
        normalise(row, row_scratch, &step.norm, 0, s.layout, s.vectors);
        for (out, v) in out.iter_mut().zip(row_scratch.iter()) {
            *out = if step.add { *out + step.scale * v } else { step.scale * v };
        }
    }
    s.buffers[step.out.buffer.0] = out;
}
