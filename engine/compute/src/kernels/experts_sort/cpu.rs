//! The sorting of tokens by expert.

use super::ExpertsSort;
use crate::kernels::shared::{Cpu, chosen_experts};

/// Where the numbers of each expert begin, where the last end, and the numbers.
pub fn experts_sort(s: &mut Cpu, step: &ExpertsSort) {
    let mut choices = std::mem::take(&mut s.scratch.choices);
    chosen_experts(s, &step.route, step.used, &mut choices);
    let out = &mut s.buffers[step.out.buffer.0][step.out.offset..];
    let (begins, numbers) = out.split_at_mut(step.experts + 1);
    for (e, begin) in begins.iter_mut().enumerate() {
        *begin = f32::from_bits(choices.partition_point(|choice| choice.expert < e) as u32);
    }
    for (number, choice) in numbers.iter_mut().zip(&choices) {
        *number = f32::from_bits((choice.token * step.used + choice.slot) as u32);
    }
    s.scratch.choices = choices;
}
