//! The choice of experts.

use super::Shared;
use crate::plan::Route;

/// The experts with the largest probability (the lowest id among equals), with their weights.
pub fn route(s: &mut Shared, step: &Route) {
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let input = &s.buffers[step.logits.buffer.0];
    for t in 0..s.state.tokens as usize {
        let logits = &input[step.logits.offset + t * step.logits.stride..][..step.experts];
        let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = logits.iter().map(|l| (l - max).exp()).sum();
        let out = &mut out[step.out.offset + t * step.out.stride..][..2 * step.used];
        let mut sum = 0.0;
        for slot in 0..step.used {
            let taken = |e: usize| (0..slot).any(|j| out[2 * j].to_bits() == e as u32);
            let mut best = None;
            for (e, logit) in logits.iter().enumerate().filter(|(e, _)| !taken(*e)) {
                if best.is_none_or(|b: usize| *logit > logits[b]) {
                    best = Some(e);
                }
            }
            let best = best.unwrap_or(0);
            out[2 * slot] = f32::from_bits(best as u32);
            out[2 * slot + 1] = (logits[best] - max).exp() / total;
            sum += out[2 * slot + 1];
        }
        for slot in 0..step.used {
            out[2 * slot + 1] *= step.scale / if step.normalise { sum } else { 1.0 };
        }
    }
    s.buffers[step.out.buffer.0] = out;
}
