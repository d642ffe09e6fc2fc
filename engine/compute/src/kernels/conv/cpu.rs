//! Causal convolution over time.

use super::Conv;
use crate::kernels::shared::Cpu;
use crate::kernels::shared::math::activate_all;
use crate::plan::{Act, TAPS_MAX};

/// Channels side by side.
const BLOCK: usize = 16;

/// out[t, c] = silu(sum_j w[c, j] * x[t - kernel + 1 + j, c] + bias[c]), or the gated form without activation.
pub fn conv(s: &mut Cpu, step: &Conv) {
    let kept_taps = step.kernel - 1;
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut state = std::mem::take(&mut s.buffers[step.state.0]);
    let input = &s.buffers[step.input.buffer.0];
    let weight = &s.vectors[s.layout.vectors[step.weight.0].offset..];
    let bias = step.bias.map(|b| &s.vectors[s.layout.vectors[b.0].offset..]);
    for span in s.state.spans() {
        let kept = &mut state[span.slot * step.channels * kept_taps..][..step.channels * kept_taps];
        if span.starts {
            kept.fill(0.0);
        }
        for first in (0..step.channels).step_by(BLOCK) {
            let width = BLOCK.min(step.channels - first);
            let block = |values: &[f32]| load(&values[..width]);
            // The last inputs, the oldest first, and their weights.
            let mut x = [[0.0; BLOCK]; TAPS_MAX];
            let mut w = [[0.0; BLOCK]; TAPS_MAX];
            for lane in 0..width {
                for j in 0..step.kernel {
                    w[j][lane] = weight[(first + lane) * step.kernel + j];
                }
                for j in 0..kept_taps {
                    x[j + 1][lane] = kept[(first + lane) * kept_taps + j];
                }
            }
            for t in span.tokens.clone() {
                let from = &input[step.input.offset + t * step.input.stride + first..];
                x.copy_within(1..step.kernel, 0);
                x[kept_taps] = block(from);
                if step.gated {
                    times(&mut x[kept_taps], &block(&from[2 * step.channels..]));
                }
                let mut sums = [0.0; BLOCK];
                for (x, w) in x.iter().zip(&w).take(step.kernel) {
                    for ((sum, x), w) in sums.iter_mut().zip(x).zip(w) {
                        *sum += w * x;
                    }
                }
                if step.gated {
                    times(&mut sums, &block(&from[step.channels..]));
                } else {
                    if let Some(bias) = bias {
                        sums.iter_mut().zip(block(&bias[first..])).for_each(|(sum, bias)| *sum += bias);
                    }
                    activate_all(&mut sums, Act::Silu);
                }
                let to = step.out.offset + t * step.out.stride + first;
                out[to..to + width].copy_from_slice(&sums[..width]);
            }
            for lane in 0..width {
                for j in 0..kept_taps {
                    kept[(first + lane) * kept_taps + j] = x[j + 1][lane];
                }
            }
        }
    }
    s.buffers[step.out.buffer.0] = out;
    s.buffers[step.state.0] = state;
}

/// A block of channels; zeros behind the last one.
fn load(values: &[f32]) -> [f32; BLOCK] {
    <[f32; BLOCK]>::try_from(values).unwrap_or_else(|_| {
        let mut block = [0.0; BLOCK];
        block[..values.len()].copy_from_slice(values);
        block
    })
}

fn times(block: &mut [f32; BLOCK], by: &[f32; BLOCK]) {
    block.iter_mut().zip(by).for_each(|(value, by)| *value *= by);
}
