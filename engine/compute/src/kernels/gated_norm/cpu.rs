//! Norm and gate of the rows that a recurrence gives.

use super::GatedNorm;
use crate::kernels::shared::Cpu;
use crate::kernels::shared::math::activate;
use crate::plan::Act;

/// out[t, g] = norm(x * silu(gate)), or norm(x) * silu(gate), group by group, or only x * silu(gate).
pub fn gated_norm(s: &mut Cpu, step: &GatedNorm) {
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let (input, gates) = (&s.buffers[step.input.buffer.0], &s.buffers[step.gate.buffer.0]);
    let weight = step.weight.map(|w| &s.vectors[s.layout.vectors[w.0].offset..]);
    for t in 0..s.state.tokens as usize {
        for group in 0..step.groups {
            let first = group * step.len;
            let x = &input[step.input.offset + t * step.input.stride + first..][..step.len];
            let gate = &gates[step.gate.offset + t * step.gate.stride + first..][..step.len];
            let value = |i: usize| if step.gate_first { x[i] * activate(gate[i], Act::Silu) } else { x[i] };
            let out = &mut out[step.out.offset + t * step.out.stride + first..][..step.len];
            let Some(weight) = weight else {
                out.iter_mut().enumerate().for_each(|(i, out)| *out = x[i] * activate(gate[i], Act::Silu));
                continue;
            };
            let squares: f64 = (0..step.len).map(|i| f64::from(value(i)).powi(2)).sum();
            let inverse = 1.0 / (squares / step.len as f64 + f64::from(step.eps)).sqrt();
            let weight = if step.own_weights { &weight[first..] } else { weight };
            for i in 0..step.len {
                let y = (f64::from(value(i)) * inverse) as f32 * weight[i];
                out[i] = if step.gate_first { y } else { y * activate(gate[i], Act::Silu) };
            }
        }
    }
    s.buffers[step.out.buffer.0] = out;
}
