//! Causal convolution over time.

use super::Conv;
use crate::kernels::shared::Cpu;
use crate::kernels::shared::math::activate;
use crate::plan::Act;

/// out[t, c] = silu(sum_j w[c, j] * x[t - kernel + 1 + j, c] + bias[c]), or the gated form without activation.
pub fn conv(s: &mut Cpu, step: &Conv) {
    let (tokens, taps) = (s.state.tokens as usize, step.kernel - 1);
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut state = std::mem::take(&mut s.buffers[step.state.0]);
    let input = &s.buffers[step.input.buffer.0];
    let weight = &s.vectors[s.layout.vectors[step.weight.0].offset..];
    let bias = step.bias.map(|b| &s.vectors[s.layout.vectors[b.0].offset..]);
    for c in 0..step.channels {
        let at = |t: usize| step.input.offset + t * step.input.stride + c;
        let x = |t: usize| {
            if step.gated { input[at(t)] * input[at(t) + 2 * step.channels] } else { input[at(t)] }
        };
        let kept = &mut state[(s.state.slot as usize * step.channels + c) * taps..][..taps];
        if s.state.fresh == 1 {
            kept.fill(0.0);
        }
        for t in 0..tokens {
            // Inputs before the slice are in the state, the oldest first.
            let past = |j: usize| if t + j < taps { kept[t + j] } else { x(t + j - taps) };
            let sum: f32 = (0..step.kernel).map(|j| weight[c * step.kernel + j] * past(j)).sum();
            out[step.out.offset + t * step.out.stride + c] = if step.gated {
                input[at(t) + step.channels] * sum
            } else {
                activate(sum + bias.map_or(0.0, |b| b[c]), Act::Silu)
            };
        }
        for j in 0..taps {
            kept[j] = if tokens + j < taps { kept[tokens + j] } else { x(tokens + j - taps) };
        }
    }
    s.buffers[step.out.buffer.0] = out;
    s.buffers[step.state.0] = state;
}
