//! The products of the chosen experts.

use super::Shared;
use super::matmul::{decode_row, let_through};
use super::norm_rows::normalise;
use crate::formats::UNIT;
use crate::plan::{ExpertsDown, ExpertsUp, View, WeightId};

/// out[t * used + s] = act(gate_e * norm(input[t])) * (up_e * norm(input[t])).
pub fn experts_up(s: &mut Shared, step: &ExpertsUp) {
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut x = std::mem::take(&mut s.scratch.input);
    let mut row = std::mem::take(&mut s.scratch.rows);
    let outputs = s.plan.weights[step.weight.0].outputs;
    let bias = |row: usize| step.bias.map_or(0.0, |b| s.vectors[s.plan.vectors[b.0].offset + row]);
    for t in 0..s.state.tokens as usize {
        x.clear();
        x.resize(step.input.cols, 0.0);
        let input =
            &s.buffers[step.input.buffer.0][step.input.offset + t * step.input.stride..][..step.input.cols];
        match &step.norm {
            Some(norm) => normalise(input, &mut x, norm, 0, s.plan, s.vectors),
            None => x.copy_from_slice(input),
        }
        for slot in 0..step.used {
            let (expert, _) = chosen(s, &step.route, t, slot);
            let to = step.out.offset + (t * step.used + slot) * step.out.stride;
            for i in 0..step.inner {
                let gate = product(s, step.weight, expert * step.inner + i, 0, &x, &mut row);
                let up = product(s, step.weight, expert * step.inner + i, 1, &x, &mut row);
                let at = expert * step.inner + i;
                let (gate, up) = (gate + bias(at), up + bias(outputs + at));
                out[to + i] = let_through(gate, up, step.act);
            }
        }
    }
    s.scratch.input = x;
    s.scratch.rows = row;
    s.buffers[step.out.buffer.0] = out;
}

/// out[t] += scale * sum_s weight_s * (down_e * input[t * used + s]).
pub fn experts_down(s: &mut Shared, step: &ExpertsDown) {
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut row = std::mem::take(&mut s.scratch.rows);
    for t in 0..s.state.tokens as usize {
        for slot in 0..step.used {
            let (expert, weight) = chosen(s, &step.route, t, slot);
            let from = step.input.offset + (t * step.used + slot) * step.input.stride;
            let x = &s.buffers[step.input.buffer.0][from..][..step.input.cols];
            for r in 0..step.out.cols {
                let at = expert * step.out.cols + r;
                let bias = step.bias.map_or(0.0, |b| s.vectors[s.plan.vectors[b.0].offset + at]);
                let y = product(s, step.weight, at, 0, x, &mut row) + bias;
                out[step.out.offset + t * step.out.stride + r] += step.scale * weight * y;
            }
        }
    }
    s.scratch.rows = row;
    s.buffers[step.out.buffer.0] = out;
}

fn chosen(s: &Shared, route: &View, t: usize, slot: usize) -> (usize, f32) {
    let at = route.offset + t * route.stride + 2 * slot;
    let route = &s.buffers[route.buffer.0];
    (route[at].to_bits() as usize, route[at + 1])
}

/// Row `output` of half `half` of a weight, times x.
fn product(s: &Shared, id: WeightId, output: usize, half: usize, x: &[f32], row: &mut Vec<f32>) -> f32 {
    let weight = &s.plan.weights[id.0];
    row.resize(weight.cols.next_multiple_of(UNIT), 0.0);
    let holds = |shard: &crate::plan::Shard| (shard.first..shard.first + shard.outputs).contains(&output);
    let Some(i) = weight.shards.iter().position(holds) else { return 0.0 };
    let shard = &weight.shards[i];
    decode_row(weight.format, shard, &s.weights[id.0][i], output - shard.first + half * shard.outputs, row);
    row.iter().zip(x).map(|(w, x)| w * x).sum()
}
