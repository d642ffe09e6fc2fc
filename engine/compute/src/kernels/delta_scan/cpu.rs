//! The recurrence of the gated delta net.

use wide::f32x4;

use super::DeltaScan;
use crate::kernels::shared::math::{sigmoid, softplus};
use crate::kernels::shared::{Cpu, ROWS_AT_ONCE, in_fours};
use crate::plan::View;
use crate::simd::plus_times;

/// S = S * exp(g); e = (v[i] - S . k) * beta; S = S + e * k; out[i] = S . q.
pub fn delta_scan(s: &mut Cpu, step: &DeltaScan) {
    let (n, inner) = (step.key_len, step.value_heads * step.value_len);
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut state = std::mem::take(&mut s.buffers[step.state.0]);
    let [bias, a] = step.vectors.map(|v| &s.vectors[s.layout.vectors[v.0].offset..]);
    let at = |view: &View, t: usize| &s.buffers[view.buffer.0][view.offset + t * view.stride..];
    for span in s.state.spans() {
        let slot = &mut state[span.slot * inner * n..][..inner * n];
        if span.starts {
            slot.fill(0.0);
        }
        for (head, rows) in slot.chunks_exact_mut(step.value_len * n).enumerate() {
            let key = head % step.key_heads * n;
            for (part, rows) in rows.chunks_mut(ROWS_AT_ONCE * n).enumerate() {
                let first = head * step.value_len + part * ROWS_AT_ONCE;
                for t in span.tokens.clone() {
                    let token = at(&step.qkv, t);
                    let (q, k) = (&token[key..][..n], &token[step.key_heads * n + key..][..n]);
                    let v = &token[2 * step.key_heads * n + first..];
                    let q_scale = 1.0 / ((dot(q, q) + step.eps) * n as f32).sqrt();
                    let k_scale = 1.0 / (dot(k, k) + step.eps).sqrt();
                    let by = dot(k, q);
                    let decay = (softplus(at(&step.alpha, t)[head] + bias[head]) * a[head]).exp();
                    let beta = sigmoid(at(&step.beta, t)[head]);
                    let to = &mut out[step.out.offset + t * step.out.stride + first..];
                    for ((row, v), to) in rows.chunks_exact_mut(n).zip(v).zip(to) {
                        // What S . q is after the change follows from S . q before it.
                        let [by_k, by_q] = decayed(row, decay, k, q);
                        let change = (v - by_k * k_scale) * beta * k_scale;
                        add(row, change, k);
                        *to = (by_q + change * by) * q_scale;
                    }
                }
            }
        }
    }
    s.buffers[step.out.buffer.0] = out;
    s.buffers[step.state.0] = state;
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (in_fours(a), in_fours(b));
    let mut sum = f32x4::ZERO;
    for (a, b) in a.iter().zip(b) {
        sum = plus_times(sum, (*a).into(), (*b).into());
    }
    sum.reduce_add() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

/// Lets a row decay; its products with k and q.
fn decayed(row: &mut [f32], decay: f32, k: &[f32], q: &[f32]) -> [f32; 2] {
    let (cells, rest) = row.as_chunks_mut::<4>();
    let ((ks, k_rest), (qs, q_rest)) = (in_fours(k), in_fours(q));
    let (mut by_k, mut by_q) = (f32x4::ZERO, f32x4::ZERO);
    for ((cells, k), q) in cells.iter_mut().zip(ks).zip(qs) {
        let decayed = f32x4::from(*cells) * f32x4::splat(decay);
        *cells = decayed.into();
        by_k = plus_times(by_k, decayed, (*k).into());
        by_q = plus_times(by_q, decayed, (*q).into());
    }
    let mut sums = [by_k.reduce_add(), by_q.reduce_add()];
    for ((cell, k), q) in rest.iter_mut().zip(k_rest).zip(q_rest) {
        *cell *= decay;
        sums[0] += *cell * k;
        sums[1] += *cell * q;
    }
    sums
}

/// Adds `change * k` to a row.
fn add(row: &mut [f32], change: f32, k: &[f32]) {
    let (cells, rest) = row.as_chunks_mut::<4>();
    let (ks, k_rest) = in_fours(k);
    for (cells, k) in cells.iter_mut().zip(ks) {
        *cells = plus_times((*cells).into(), f32x4::splat(change), (*k).into()).into();
    }
    for (cell, k) in rest.iter_mut().zip(k_rest) {
        *cell += change * k;
    }
}
