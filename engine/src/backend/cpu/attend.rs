//! Attention over the cached positions.

use super::Shared;
use crate::plan::{Attend, PAGE_TOKENS};

/// out[t] = softmax(scale * q[t] K^T) V per head.
pub fn attend(s: &mut Shared, step: &Attend) {
    let n = step.head_len;
    let kv_cols = step.kv_heads * n;
    let group = step.heads / step.kv_heads;
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut scores = std::mem::take(&mut s.scratch.scores);
    let (q, k, v) = (&s.buffers[step.q.buffer.0], &s.buffers[step.kv.0.0], &s.buffers[step.kv.1.0]);
    let cell = |p: usize| (s.pages[p / PAGE_TOKENS] as usize * PAGE_TOKENS + p % PAGE_TOKENS) * kv_cols;
    let end = (s.state.position + s.state.tokens) as usize;
    for t in 0..s.state.tokens as usize {
        let seen = step.seen(s.state.position as usize + t, end);
        for head in 0..step.heads {
            let q = &q[step.q.offset + t * step.q.stride + head * n..][..n];
            let at = head / group * n;
            scores.clear();
            scores
                .extend(seen.clone().map(|p| capped(step.scale * dot(q, &k[cell(p) + at..][..n]), step.cap)));
            let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut total = 0.0f32;
            for score in scores.iter_mut() {
                *score = (*score - max).exp();
                total += *score;
            }
            let out = &mut out[step.out.offset + t * step.out.stride + head * n..][..n];
            out.fill(0.0);
            for (p, score) in seen.clone().zip(scores.iter()) {
                let weight = score / total;
                for (out, v) in out.iter_mut().zip(&v[cell(p) + at..][..n]) {
                    *out += weight * v;
                }
            }
        }
    }
    s.scratch.scores = scores;
    if let Some(gate) = step.gate {
        for t in 0..s.state.tokens as usize {
            for i in 0..step.heads * n {
                // Behind the queries of its head.
                let g = s.buffers[gate.buffer.0][gate.offset + t * gate.stride + (i / n * 2 + 1) * n + i % n];
                out[step.out.offset + t * step.out.stride + i] /= 1.0 + (-g).exp();
            }
        }
    }
    s.buffers[step.out.buffer.0] = out;
}

fn capped(score: f32, cap: f32) -> f32 {
    if cap == 0.0 { score } else { cap * (score / cap).tanh() }
}

/// In four lanes, so that the compiler can keep them in a vector register.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 4];
    let ((a4, a1), (b4, b1)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    for (a, b) in a4.iter().zip(b4) {
        for i in 0..4 {
            lanes[i] += a[i] * b[i];
        }
    }
    let tail: f32 = a1.iter().zip(b1).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + tail
}
