//! The products of the chosen experts: those of an expert for all its tokens at once.

use super::ExpertsUp;
use crate::kernels::shared::math::let_through;
use crate::kernels::shared::{
    Cpu, Scratch, chosen_experts, multiply, normalise, planes, rows_at_once, shard_rows,
};

/// out[t * used + s] = act(gate_e * norm(input[t])) * (up_e * norm(input[t])).
pub fn experts_up(s: &mut Cpu, step: &ExpertsUp) {
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut scratch = std::mem::take(s.scratch);
    chosen_experts(s, &step.route, step.used, &mut scratch.choices);
    let weight = &s.layout.weights[step.weight.0];
    let bias = step.bias.map(|b| &s.vectors[s.layout.vectors[b.0].offset..]);
    let Scratch { choices, inputs, tile, products: [gates, ups], .. } = &mut scratch;
    for group in choices.chunk_by(|a, b| a.expert == b.expert) {
        inputs.fill((weight.format, s.layout.options.precision), group.len(), step.input.cols, |i, x| {
            let at = step.input.offset + group[i].token * step.input.stride;
            let row = &s.buffers[step.input.buffer.0][at..][..step.input.cols];
            match &step.norm {
                Some(norm) => normalise(row, x, norm, 0, s.layout, s.vectors),
                None => x.copy_from_slice(row),
            }
        });
        let own = group[0].expert * step.ffn_size;
        for rows in shard_rows(s, step.weight, own..own + step.ffn_size, rows_at_once(inputs)) {
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
