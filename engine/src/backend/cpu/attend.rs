//! Attention over the cached positions.

use std::ops::Range;

use super::{Shared, cache};
use crate::backend::Token;
use crate::plan::Attend;

/// out[t] = softmax(scale * q[t] K^T) V per head.
pub fn attend(s: &mut Shared, step: &Attend) {
    let n = step.head_len;
    let group = step.heads / step.kv_heads;
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut scratch = std::mem::take(s.scratch);
    let q = &s.buffers[step.q.buffer.0];
    let sequences = s.sequences();
    for (tokens, kv_head) in sequences.iter().flat_map(|s| (0..step.kv_heads).map(move |head| (s, head))) {
        let (first, last) = (s.tokens[tokens.start], s.tokens[tokens.end - 1]);
        let end = last.end as usize;
        // What any token of the sequence sees.
        let all = step.seen(first.position as usize, end).start..step.seen(last.position as usize, end).end;
        gather(s, step, step.kv.keys.0, kv_head, &first, all.clone(), &mut scratch.keys);
        gather(s, step, step.kv.values.0, kv_head, &first, all.clone(), &mut scratch.values);
        for t in tokens.clone() {
            let seen = step.seen(s.tokens[t].position as usize, end);
            let rows = (seen.start - all.start) * n..(seen.end - all.start) * n;
            let (keys, values) = (&scratch.keys[rows.clone()], &scratch.values[rows]);
            for head in kv_head * group..(kv_head + 1) * group {
                let q = &q[step.q.offset + t * step.q.stride + head * n..][..n];
                let out = &mut out[step.out.offset + t * step.out.stride + head * n..][..n];
                let sink = step.sinks.map(|v| s.vectors[s.plan.vectors[v.0].offset + head]);
                mix(step, q, (keys, values), sink, &mut scratch.scores, out);
            }
        }
    }
    *s.scratch = scratch;
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

/// The rows of one head at `positions`, one after another.
fn gather(
    s: &Shared,
    step: &Attend,
    pool: usize,
    head: usize,
    token: &Token,
    positions: Range<usize>,
    rows: &mut Vec<f32>,
) {
    rows.resize(positions.len() * step.head_len, 0.0);
    for (p, row) in positions.zip(rows.chunks_exact_mut(step.head_len)) {
        let place = s.place(token, p);
        cache::load(&step.kv, &s.buffers[pool], place, head, row);
    }
}

/// One query's mean of the values; a sink takes a part of the weights and adds nothing.
fn mix(
    step: &Attend,
    q: &[f32],
    (keys, values): (&[f32], &[f32]),
    sink: Option<f32>,
    scores: &mut Vec<f32>,
    out: &mut [f32],
) {
    scores.clear();
    scores.extend(keys.chunks_exact(q.len()).map(|k| capped(step.scale * dot(q, k), step.cap)));
    let max = scores.iter().copied().fold(sink.unwrap_or(f32::NEG_INFINITY), f32::max);
    let mut total = sink.map_or(0.0, |sink| (sink - max).exp());
    for score in scores.iter_mut() {
        *score = (*score - max).exp();
        total += *score;
    }
    out.fill(0.0);
    for (v, score) in values.chunks_exact(q.len()).zip(scores.iter()) {
        let weight = score / total;
        for (out, v) in out.iter_mut().zip(v) {
            *out += weight * v;
        }
    }
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
