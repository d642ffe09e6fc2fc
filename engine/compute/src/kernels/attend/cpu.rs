//! Attention over the cached positions. Queries lie side by side in lanes: those of several tokens, and of all heads that
//! share keys and values.

use super::Attend;
use crate::kernels::shared::math::{exp, sigmoid};
use crate::kernels::shared::{Attention, Cpu, LANES, PANEL, cells};
use std::ops::Range;

use wide::f32x4;

use crate::plan::{CacheFormat, PAGE_TOKENS};
use crate::simd::plus_times;

/// out[t] = softmax(scale * q[t] K^T) V per head.
pub fn attend(s: &mut Cpu, step: &Attend) {
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut scratch = std::mem::take(&mut s.scratch.attention);
    let group = step.heads / step.kv_heads;
    for tokens in s.sequences() {
        let queries = tokens.len() * group;
        for kv_head in 0..step.kv_heads {
            for first in (0..queries).step_by(LANES * PANEL) {
                let panel = Panel { s, step, kv_head, first_token: tokens.start, first, queries };
                panel.run((queries - first).div_ceil(LANES).min(PANEL), &mut scratch, &mut out);
            }
        }
    }
    s.scratch.attention = scratch;
    if let Some(gate) = step.gate {
        let n = step.head_len;
        for t in 0..s.state.tokens as usize {
            for head in 0..step.heads {
                // Behind the queries of its head.
                let at = gate.offset + t * gate.stride + (2 * head + 1) * n;
                let gates = &s.buffers[gate.buffer.0][at..][..n];
                let out = &mut out[step.out.offset + t * step.out.stride + head * n..][..n];
                out.iter_mut().zip(gates).for_each(|(out, gate)| *out *= sigmoid(*gate));
            }
        }
    }
    s.buffers[step.out.buffer.0] = out;
}

/// Queries from `first` on of a sequence and a head of keys: query `i` is that of token `i / group` and head `i % group`.
struct Panel<'a> {
    s: &'a Cpu<'a>,
    step: &'a Attend,
    kv_head: usize,
    first_token: usize,
    first: usize,
    /// Of the sequence.
    queries: usize,
}

impl Panel<'_> {
    /// So many vectors of queries.
    fn run(&self, vectors: usize, scratch: &mut Attention, out: &mut [f32]) {
        let (step, n) = (self.step, self.step.head_len);
        let count = (self.queries - self.first).min(vectors * LANES);
        scratch.queries.clear();
        scratch.queries.resize(n * vectors, f32x4::ZERO);
        let lanes: &mut [f32] = bytemuck::cast_slice_mut(&mut scratch.queries);
        for i in 0..count {
            let (t, head) = self.query(i);
            let q = &self.s.buffers[step.q.buffer.0][step.q.offset + t * step.q.stride + head * n..][..n];
            lanes[i..]
                .iter_mut()
                .step_by(vectors * LANES)
                .zip(q)
                .for_each(|(lane, q)| *lane = step.scale * q);
        }
        // What any query sees, and what each does.
        scratch.seen.clear();
        scratch.seen.extend((0..count).map(|i| self.seen(i)));
        let all = scratch.seen[0].start..scratch.seen[count - 1].end;
        scratch.scores.resize(all.len() * vectors, f32x4::ZERO);
        self.pages(&all, step.kv.keys.0, &mut scratch.page, |at, rows| {
            let (queries, scores) = (&scratch.queries, &mut scratch.scores[(at - all.start) * vectors..]);
            match vectors {
                1 => score::<1, 4>(queries, &rows, scores),
                2 => score::<2, 4>(queries, &rows, scores),
                3 => score::<3, 2>(queries, &rows, scores),
                _ => score::<PANEL, 2>(queries, &rows, scores),
            }
        });
        self.weigh(vectors * LANES, &scratch.seen, &all, bytemuck::cast_slice_mut(&mut scratch.scores));
        scratch.mixed.clear();
        scratch.mixed.resize(n * vectors, f32x4::ZERO);
        self.pages(&all, step.kv.values.0, &mut scratch.page, |at, rows| {
            let (weights, mixed) = (&scratch.scores[(at - all.start) * vectors..], &mut scratch.mixed);
            match vectors {
                1 => mix::<1, 4>(weights, &rows, mixed),
                2 => mix::<2, 4>(weights, &rows, mixed),
                3 => mix::<3, 2>(weights, &rows, mixed),
                _ => mix::<PANEL, 2>(weights, &rows, mixed),
            }
        });
        let lanes: &[f32] = bytemuck::cast_slice(&scratch.mixed);
        for i in 0..count {
            let (t, head) = self.query(i);
            let out = &mut out[step.out.offset + t * step.out.stride + head * n..][..n];
            lanes[i..].iter().step_by(vectors * LANES).zip(out).for_each(|(lane, out)| *out = *lane);
        }
    }

    /// Token and head of query `i` of the panel.
    fn query(&self, i: usize) -> (usize, usize) {
        let group = self.step.heads / self.step.kv_heads;
        let i = self.first + i;
        (self.first_token + i / group, self.kv_head * group + i % group)
    }

    fn seen(&self, i: usize) -> Range<usize> {
        let token = &self.s.tokens[self.query(i).0];
        self.step.seen(token.position as usize, token.end as usize)
    }

    /// Calls `each` with the first position and the rows of every page of `positions`.
    fn pages(
        &self,
        positions: &Range<usize>,
        pool: usize,
        page: &mut Vec<f32>,
        mut each: impl FnMut(usize, Cells),
    ) {
        let (kv, n) = (&self.step.kv, self.step.head_len);
        let pool = &self.s.buffers[pool];
        let mut at = positions.start;
        while at < positions.end {
            let count = (PAGE_TOKENS - at % PAGE_TOKENS).min(positions.end - at);
            let place = self.s.place(&self.s.tokens[self.first_token], at);
            if kv.format == CacheFormat::F32 {
                let values = &pool[kv.cell(place, self.kv_head).0..];
                each(at, Cells { values, stride: kv.cells() * n, count });
            } else {
                page.resize(PAGE_TOKENS * n, 0.0);
                for (i, row) in page.chunks_exact_mut(n).take(count).enumerate() {
                    cells::load(kv, pool, place + i, self.kv_head, row);
                }
                each(at, Cells { values: page, stride: n, count });
            }
            at += count;
        }
    }

    /// Makes weights of scores; a sink takes a part of the weights and adds nothing.
    fn weigh(&self, width: usize, seen: &[Range<usize>], all: &Range<usize>, scores: &mut [f32]) {
        let step = self.step;
        let sink = |i: usize| {
            let head = self.query(i.min(seen.len() - 1)).1;
            step.sinks.map(|v| self.s.vectors[self.s.layout.vectors[v.0].offset + head])
        };
        if step.cap != 0.0 {
            scores.iter_mut().for_each(|score| *score = step.cap * (*score / step.cap).tanh());
        }
        for (i, seen) in seen.iter().enumerate() {
            let hidden = (all.start..seen.start).chain(seen.end..all.end);
            hidden.for_each(|p| scores[(p - all.start) * width + i] = f32::NEG_INFINITY);
        }
        let mut most = [f32::NEG_INFINITY; PANEL * LANES];
        let mut total = [0.0; PANEL * LANES];
        for (i, most) in most.iter_mut().enumerate().take(width) {
            *most = sink(i).unwrap_or(f32::NEG_INFINITY);
        }
        for row in scores.chunks_exact(width) {
            most.iter_mut().zip(row).for_each(|(most, score)| *most = most.max(*score));
        }
        for (i, (total, most)) in total.iter_mut().zip(&most).enumerate().take(width) {
            *total = sink(i).map_or(0.0, |sink| exp(sink - most));
        }
        for row in scores.chunks_exact_mut(width) {
            for ((score, most), total) in row.iter_mut().zip(&most).zip(&mut total) {
                *score = exp(*score - most);
                *total += *score;
            }
        }
        for row in scores.chunks_exact_mut(width) {
            row.iter_mut().zip(&total).for_each(|(score, total)| *score /= total);
        }
    }
}

/// Rows of a head at consecutive positions; row `i` begins at `i * stride`.
struct Cells<'a> {
    values: &'a [f32],
    stride: usize,
    count: usize,
}

/// Scores of the positions with `T` vectors of queries, `R` at a time.
fn score<const T: usize, const R: usize>(queries: &[f32x4], keys: &Cells, scores: &mut [f32x4]) {
    let (queries, scores) = (queries.as_chunks::<T>().0, scores.as_chunks_mut::<T>().0);
    let n = queries.len();
    for p in (0..keys.count).step_by(R) {
        // Where positions are no multiple, the last one again.
        let rows: [&[f32]; R] =
            std::array::from_fn(|r| &keys.values[(p + r).min(keys.count - 1) * keys.stride..][..n]);
        let mut sums = [[f32x4::ZERO; T]; R];
        for (i, q) in queries.iter().enumerate() {
            for r in 0..R {
                let key = f32x4::splat(rows[r][i]);
                for v in 0..T {
                    sums[r][v] = plus_times(sums[r][v], key, q[v]);
                }
            }
        }
        let count = R.min(keys.count - p);
        scores[p..p + count].copy_from_slice(&sums[..count]);
    }
}

/// Adds the weighted values of the positions, `R` values at a time.
fn mix<const T: usize, const R: usize>(weights: &[f32x4], cells: &Cells, mixed: &mut [f32x4]) {
    let (whole, rest) = mixed.as_chunks_mut::<T>().0.as_chunks_mut::<R>();
    if !rest.is_empty() {
        let values = &cells.values[whole.len() * R..];
        mix::<T, 1>(weights, &Cells { values, ..*cells }, rest.as_flattened_mut());
    }
    let weights = weights.as_chunks::<T>().0;
    for (i, mixed) in whole.iter_mut().enumerate() {
        let mut sums = *mixed;
        for (p, weights) in weights.iter().enumerate().take(cells.count) {
            let row = &cells.values[p * cells.stride + i * R..][..R];
            for r in 0..R {
                let value = f32x4::splat(row[r]);
                for v in 0..T {
                    sums[r][v] = plus_times(sums[r][v], value, weights[v]);
                }
            }
        }
        *mixed = sums;
    }
}
