//! The products of the chosen experts: those of an expert for all its tokens at once.

use super::ExpertsDown;
use crate::kernels::shared::{
    Cpu, Scratch, chosen_experts, multiply, planes, rows_at_once, shard_rows, share,
};

/// out[t] += scale * sum_s weight_s * (down_e * input[t * used + s]).
pub fn experts_down(s: &mut Cpu, step: &ExpertsDown) {
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut scratch = std::mem::take(s.scratch);
    chosen_experts(s, &step.route, step.used, &mut scratch.choices);
    let weight = &s.layout.weights[step.weight.0];
    let bias = step.bias.map(|b| &s.vectors[s.layout.vectors[b.0].offset..]);
    let Scratch { choices, inputs, tile, products: [y, _], .. } = &mut scratch;
    for group in choices.chunk_by(|a, b| a.expert == b.expert) {
        inputs.fill((weight.format, s.layout.options.precision), group.len(), step.input.cols, |i, x| {
            let row = group[i].token * step.used + group[i].slot;
            let at = step.input.offset + row * step.input.stride;
            x.copy_from_slice(&s.buffers[step.input.buffer.0][at..][..step.input.cols]);
        });
        let own = group[0].expert * step.out.cols;
        for rows in shard_rows(s, step.weight, own..own + step.out.cols, rows_at_once(inputs)) {
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
