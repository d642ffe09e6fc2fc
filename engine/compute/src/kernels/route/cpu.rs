//! The choice of experts.

use super::Route;
use crate::kernels::shared::Cpu;

/// Least sum of weights that they are divided by; llama.cpp's.
const SUM_MIN: f32 = 6.103_515_6e-5;

/// The experts with the largest probability, biased where there is a bias (the lowest id among equals), with their
/// weights.
pub fn route(s: &mut Cpu, step: &Route) {
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut probabilities = std::mem::take(&mut s.scratch.rows);
    let input = &s.buffers[step.logits.buffer.0];
    let bias = step.bias.map(|b| &s.vectors[s.layout.vectors[b.0].offset..]);
    for t in 0..s.state.tokens as usize {
        let logits = &input[step.logits.offset + t * step.logits.stride..][..step.experts];
        let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = logits.iter().map(|l| (l - max).exp()).sum();
        probabilities.clear();
        probabilities.extend(
            logits
                .iter()
                .map(|l| if step.sigmoid { 1.0 / (1.0 + (-l).exp()) } else { (l - max).exp() / total }),
        );
        let score = |e: usize| probabilities[e] + bias.map_or(0.0, |b| b[e]);
        let out = &mut out[step.out.offset + t * step.out.stride..][..2 * step.used];
        let mut sum = 0.0;
        for slot in 0..step.used {
            let taken = |e: usize| (0..slot).any(|j| out[2 * j].to_bits() == e as u32);
            let mut best = None;
            for e in (0..step.experts).filter(|e| !taken(*e)) {
                if best.is_none_or(|b: usize| score(e) > score(b)) {
                    best = Some(e);
                }
            }
            let best = best.unwrap_or(0);
            out[2 * slot] = f32::from_bits(best as u32);
            out[2 * slot + 1] = probabilities[best];
            sum += probabilities[best];
        }
        for slot in 0..step.used {
            out[2 * slot + 1] *= step.scale / if step.normalise { sum.max(SUM_MIN) } else { 1.0 };
        }
    }
    s.scratch.rows = probabilities;
    s.buffers[step.out.buffer.0] = out;
}
