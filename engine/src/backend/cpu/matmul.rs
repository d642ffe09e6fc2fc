//! The products. Weights are decoded a row at a time and used for all tokens, so that each is decoded once a slice.

use wide::f32x4;

use super::Shared;
use super::norm_rows;
use crate::formats::{Format, PLANES_MAX, UNIT};
use crate::models::{ACT_BOUND, Act};
use crate::plan::{Finish, Linear, Rows, Shard, Weight};

/// Tokens whose products share the loads of a weight row.
const TOKENS: usize = 4;
/// Weight rows that share the loads of a token.
const ROWS: usize = 2;

/// out[t] = finish(scale * (weight * norm(input[t]) + bias)).
pub fn matmul(s: &mut Shared, step: &Linear) {
    let weight = &s.plan.weights[step.weight.0];
    let (count, first) = match step.rows {
        Rows::Tokens => (s.state.tokens as usize, 0),
        Rows::Outputs => (s.state.out_rows as usize, s.state.out_first as usize),
    };
    let stride = weight.cols.next_multiple_of(UNIT);
    let mut input = std::mem::take(&mut s.scratch.input);
    input.clear();
    input.resize(count.next_multiple_of(TOKENS) * stride, 0.0);
    for t in 0..count {
        let row = &s.buffers[step.input.buffer.0][step.input.offset + (first + t) * step.input.stride..]
            [..weight.cols];
        let out = &mut input[t * stride..][..weight.cols];
        match &step.norm {
            Some(norm) => norm_rows::normalise(row, out, norm, 0, s.plan, s.vectors),
            None => out.copy_from_slice(row),
        }
    }
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    for (i, shard) in weight.shards.iter().enumerate() {
        let planes = &s.weights[step.weight.0][i];
        let bias = step.bias.map(|b| &s.vectors[s.plan.vectors[b.0].offset + shard.first..]);
        let delta = step.delta.map(|d| (&s.buffers[d.buffer.0][d.offset + shard.first..], d.stride));
        let scale = step.scale * if step.by_factor { s.state.factor } else { 1.0 };
        let product = Product { weight, shard, planes, bias, delta, scale, step, count, stride };
        product.run(&input, &mut out[step.out.offset..], step.out.stride, &mut s.scratch.rows);
    }
    s.buffers[step.out.buffer.0] = out;
    s.scratch.input = input;
}

struct Product<'a> {
    weight: &'a Weight,
    shard: &'a Shard,
    planes: &'a [u8],
    bias: Option<&'a [f32]>,
    /// Rows of what an adapter adds, and from one to the next.
    delta: Option<(&'a [f32], usize)>,
    scale: f32,
    step: &'a Linear,
    count: usize,
    stride: usize,
}

impl Product<'_> {
    fn run(&self, input: &[f32], out: &mut [f32], out_stride: usize, rows: &mut Vec<f32>) {
        let gated = matches!(self.step.finish, Finish::Gated(_));
        let (per_pass, outputs) = (if gated { 1 } else { ROWS }, self.shard.outputs);
        rows.resize(ROWS * self.stride, 0.0);
        for first in (0..outputs).step_by(per_pass) {
            let second = if gated { outputs + first } else { (first + 1).min(outputs - 1) };
            decode_row(self.weight.format, self.shard, self.planes, first, &mut rows[..self.stride]);
            decode_row(self.weight.format, self.shard, self.planes, second, &mut rows[self.stride..]);
            let (a, b) = rows.split_at(self.stride);
            for t in (0..self.count).step_by(TOKENS) {
                let tokens: [&[f32]; TOKENS] =
                    std::array::from_fn(|j| &input[(t + j) * self.stride..][..self.stride]);
                let sums = dots(a, b, tokens);
                for (j, y) in sums.iter().enumerate().take(self.count - t) {
                    let at = (t + j) * out_stride + self.shard.first;
                    self.store(&mut out[at..], t + j, (first, second), *y, gated);
                }
            }
        }
    }

    fn store(&self, out: &mut [f32], t: usize, (first, second): (usize, usize), y: [f32; ROWS], gated: bool) {
        let delta = self.delta.map(|(rows, stride)| &rows[t * stride..]);
        let bias = |row: usize| self.bias.map_or(0.0, |b| b[row]) + delta.map_or(0.0, |d| d[row]);
        if gated {
            let Finish::Gated(act) = self.step.finish else { return };
            let up = y[1] + bias(self.weight.outputs + first);
            out[first] = let_through(y[0] + bias(first), up, act);
            return;
        }
        self.finish_one(&mut out[first], y[0] + bias(first));
        if second != first {
            self.finish_one(&mut out[second], y[1] + bias(second));
        }
    }

    fn finish_one(&self, out: &mut f32, y: f32) {
        match self.step.finish {
            Finish::Store | Finish::Gated(_) => *out = self.scale * y,
            Finish::Add => *out += self.scale * y,
            Finish::Cap => *out = self.step.cap * (self.scale * y / self.step.cap).tanh(),
            Finish::Act(act) => *out = activate(y, act),
            Finish::Gate(act) => *out *= activate(y, act),
        }
    }
}

/// Decodes a row of a shard; what lies beyond the last value is zero.
pub fn decode_row(format: &Format, shard: &Shard, bytes: &[u8], row: usize, out: &mut [f32]) {
    let mut planes: [&[u8]; PLANES_MAX] = [&[]; PLANES_MAX];
    for (plane, place) in planes.iter_mut().zip(&shard.planes) {
        *plane = &bytes[place.offset_bytes + row * place.stride_bytes..][..place.stride_bytes];
    }
    for (unit, out) in out.chunks_exact_mut(UNIT).enumerate() {
        out.copy_from_slice(&(format.decode16)(&planes[..shard.planes.len()], unit));
    }
}

/// Eight dot products of two weight rows with four tokens. All slices have one length, a multiple of 16.
fn dots(a: &[f32], b: &[f32], tokens: [&[f32]; TOKENS]) -> [[f32; ROWS]; TOKENS] {
    let mut sums = [[f32x4::ZERO; ROWS]; TOKENS];
    let [t0, t1, t2, t3] = tokens.map(|t| t.as_chunks::<4>().0);
    let (a, b) = (a.as_chunks::<4>().0, b.as_chunks::<4>().0);
    for (((((a, b), t0), t1), t2), t3) in a.iter().zip(b).zip(t0).zip(t1).zip(t2).zip(t3) {
        let (a, b) = (f32x4::from(*a), f32x4::from(*b));
        for (sum, t) in sums.iter_mut().zip([t0, t1, t2, t3]) {
            let t = f32x4::from(*t);
            sum[0] += a * t;
            sum[1] += b * t;
        }
    }
    sums.map(|s| s.map(|s| s.reduce_add()))
}

/// What a gate lets through.
pub fn let_through(gate: f32, up: f32, act: Act) -> f32 {
    let up = if act == Act::BoundedSilu { up.clamp(-ACT_BOUND, ACT_BOUND) + 1.0 } else { up };
    activate(gate, act) * up
}

/// The activation functions, in the form that llama.cpp uses.
pub fn activate(x: f32, act: Act) -> f32 {
    match act {
        Act::Silu => x / (1.0 + (-x).exp()),
        Act::ReluSquared => x.max(0.0).powi(2),
        Act::BoundedSilu => {
            let x = x.min(ACT_BOUND);
            x / (1.0 + (-1.702 * x).exp())
        }
        Act::Gelu => 0.5 * x * (1.0 + (0.797_884_6 * x * (1.0 + 0.044_715 * x * x)).tanh()),
    }
}
