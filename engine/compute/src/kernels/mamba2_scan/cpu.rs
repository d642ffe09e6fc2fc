//! The Mamba-2 recurrence.

use wide::f32x4;

use super::Mamba2Scan;
use crate::kernels::shared::math::softplus;
use crate::kernels::shared::{Cpu, ROWS_AT_ONCE, in_fours};
use crate::plan::View;
use crate::simd::plus_times;

/// S = S * exp(dt * a) + dt * x[p] * B; out[p] = S . C + d * x[p].
pub fn mamba2_scan(s: &mut Cpu, step: &Mamba2Scan) {
    let (n, inner) = (step.state_len, step.heads * step.head_len);
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut state = std::mem::take(&mut s.buffers[step.state.0]);
    let [bias, a, d] = step.vectors.map(|v| &s.vectors[s.layout.vectors[v.0].offset..]);
    let at = |view: &View, t: usize| &s.buffers[view.buffer.0][view.offset + t * view.stride..];
    for span in s.state.spans() {
        let slot = &mut state[span.slot * inner * n..][..inner * n];
        if span.starts {
            slot.fill(0.0);
        }
        for (head, rows) in slot.chunks_exact_mut(step.head_len * n).enumerate() {
            let group = head / (step.heads / step.groups);
            for (part, rows) in rows.chunks_mut(ROWS_AT_ONCE * n).enumerate() {
                let first = head * step.head_len + part * ROWS_AT_ONCE;
                for t in span.tokens.clone() {
                    let dt = softplus(at(&step.dt, t)[head] + bias[head]);
                    let decay = (dt * a[head]).exp();
                    let token = at(&step.xbc, t);
                    let b = &token[inner + group * n..][..n];
                    let c = &token[inner + (step.groups + group) * n..][..n];
                    let to = &mut out[step.out.offset + t * step.out.stride + first..];
                    for ((row, x), to) in rows.chunks_exact_mut(n).zip(&token[first..]).zip(to) {
                        *to = d[head] * x + driven(row, decay, dt * x, b, c);
                    }
                }
            }
        }
    }
    s.buffers[step.out.buffer.0] = out;
    s.buffers[step.state.0] = state;
}

/// Makes a row `row * decay + rate * b`; its product with c.
fn driven(row: &mut [f32], decay: f32, rate: f32, b: &[f32], c: &[f32]) -> f32 {
    let (cells, rest) = row.as_chunks_mut::<4>();
    let ((bs, b_rest), (cs, c_rest)) = (in_fours(b), in_fours(c));
    let mut sum = f32x4::ZERO;
    for ((cells, b), c) in cells.iter_mut().zip(bs).zip(cs) {
        let kept = f32x4::from(*cells) * f32x4::splat(decay);
        let driven = plus_times(kept, f32x4::splat(rate), (*b).into());
        *cells = driven.into();
        sum = plus_times(sum, driven, (*c).into());
    }
    let mut y = sum.reduce_add();
    for ((cell, b), c) in rest.iter_mut().zip(b_rest).zip(c_rest) {
        *cell = *cell * decay + rate * b;
        y += *cell * c;
    }
    y
}
