//! The products of the chosen experts: those of an expert for all its tokens at once.

use super::math::let_through;
use super::norm_rows::normalise;
use super::tiles::{multiply, planes, rows_at_once};
use super::{Scratch, Shared};
use crate::kernels::{ExpertsDown, ExpertsUp};
use crate::plan::{View, WeightId};

/// An expert that a token uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    expert: usize,
    token: usize,
    slot: usize,
}

/// out[t * used + s] = act(gate_e * norm(input[t])) * (up_e * norm(input[t])).
pub fn experts_up(s: &mut Shared, step: &ExpertsUp) {
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut scratch = std::mem::take(s.scratch);
    choose(s, &step.route, step.used, &mut scratch.choices);
    let weight = &s.layout.weights[step.weight.0];
    let bias = step.bias.map(|b| &s.vectors[s.layout.vectors[b.0].offset..]);
    let Scratch { choices, inputs, tile, products: [gates, ups], .. } = &mut scratch;
    for group in choices.chunk_by(|a, b| a.expert == b.expert) {
        inputs.fill(weight.format, group.len(), step.input.cols, |i, x| {
            let at = step.input.offset + group[i].token * step.input.stride;
            let row = &s.buffers[step.input.buffer.0][at..][..step.input.cols];
            match &step.norm {
                Some(norm) => normalise(row, x, norm, 0, s.layout, s.vectors),
                None => x.copy_from_slice(row),
            }
        });
        let own = group[0].expert * step.inner;
        for rows in pieces(s, step.weight, own..own + step.inner, rows_at_once(inputs, weight.format)) {
            let n = rows.count;
            let planes = planes(rows.shard, &s.weights[step.weight.0][rows.index]);
            gates.resize(group.len() * n, 0.0);
            ups.resize(group.len() * n, 0.0);
            multiply(tile, inputs, weight.format, &planes, rows.row, n, gates);
            multiply(tile, inputs, weight.format, &planes, rows.shard.outputs + rows.row, n, ups);
            let output = rows.shard.first + rows.row;
            for (i, choice) in group.iter().enumerate() {
                let (gates, ups) = (&mut gates[i * n..][..n], &mut ups[i * n..][..n]);
                if let Some(bias) = bias {
                    gates.iter_mut().zip(&bias[output..]).for_each(|(v, b)| *v += b);
                    ups.iter_mut().zip(&bias[weight.outputs + output..]).for_each(|(v, b)| *v += b);
                }
                let_through(gates, ups, step.act);
                let row = choice.token * step.used + choice.slot;
                out[step.out.offset + row * step.out.stride + output - own..][..n].copy_from_slice(gates);
            }
        }
    }
    *s.scratch = scratch;
    s.buffers[step.out.buffer.0] = out;
}

/// out[t] += scale * sum_s weight_s * (down_e * input[t * used + s]).
pub fn experts_down(s: &mut Shared, step: &ExpertsDown) {
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut scratch = std::mem::take(s.scratch);
    choose(s, &step.route, step.used, &mut scratch.choices);
    let weight = &s.layout.weights[step.weight.0];
    let bias = step.bias.map(|b| &s.vectors[s.layout.vectors[b.0].offset..]);
    let Scratch { choices, inputs, tile, products: [y, _], .. } = &mut scratch;
    for group in choices.chunk_by(|a, b| a.expert == b.expert) {
        inputs.fill(weight.format, group.len(), step.input.cols, |i, x| {
            let row = group[i].token * step.used + group[i].slot;
            let at = step.input.offset + row * step.input.stride;
            x.copy_from_slice(&s.buffers[step.input.buffer.0][at..][..step.input.cols]);
        });
        let own = group[0].expert * step.out.cols;
        for rows in pieces(s, step.weight, own..own + step.out.cols, rows_at_once(inputs, weight.format)) {
            let n = rows.count;
            let planes = planes(rows.shard, &s.weights[step.weight.0][rows.index]);
            y.resize(group.len() * n, 0.0);
            multiply(tile, inputs, weight.format, &planes, rows.row, n, y);
            let output = rows.shard.first + rows.row;
            for (i, choice) in group.iter().enumerate() {
                let y = &mut y[i * n..][..n];
                if let Some(bias) = bias {
                    y.iter_mut().zip(&bias[output..]).for_each(|(v, b)| *v += b);
                }
                let factor = step.scale * share(s, &step.route, choice.token, choice.slot);
                let at = step.out.offset + choice.token * step.out.stride + output - own;
                out[at..][..n].iter_mut().zip(y.iter()).for_each(|(out, y)| *out += factor * y);
            }
        }
    }
    *s.scratch = scratch;
    s.buffers[step.out.buffer.0] = out;
}

/// Which experts the slice's tokens use, expert by expert.
fn choose(s: &Shared, route: &View, used: usize, choices: &mut Vec<Choice>) {
    choices.clear();
    for token in 0..s.state.tokens as usize {
        choices.extend((0..used).map(|slot| {
            let at = route.offset + token * route.stride + 2 * slot;
            Choice { expert: s.buffers[route.buffer.0][at].to_bits() as usize, token, slot }
        }));
    }
    choices.sort_unstable();
}

/// The weight of a token's expert.
fn share(s: &Shared, route: &View, token: usize, slot: usize) -> f32 {
    s.buffers[route.buffer.0][route.offset + token * route.stride + 2 * slot + 1]
}

/// Rows of a shard.
struct Piece<'a> {
    shard: &'a crate::plan::Shard,
    index: usize,
    row: usize,
    count: usize,
}

/// The rows of outputs `range`, at most `most` at a time.
fn pieces<'a>(
    s: &Shared<'a>,
    id: WeightId,
    range: std::ops::Range<usize>,
    most: usize,
) -> impl Iterator<Item = Piece<'a>> {
    s.layout.weights[id.0].shards.iter().enumerate().flat_map(move |(index, shard)| {
        let first = range.start.max(shard.first) - shard.first;
        let end = range.end.min(shard.first + shard.outputs).saturating_sub(shard.first);
        let row = move |row| Piece { shard, index, row, count: most.min(end - row) };
        (first..end).step_by(most).map(row)
    })
}
