//! The choice of a token by a draw.

use super::Sample;
use crate::kernels::shared::Cpu;
use crate::plan::{SAMPLING_WORDS, SHORTLIST, STEPS_MAX, Sampling};
use crate::sampler::{Sampler, SamplerOptions};

/// One id for each output row, drawn from all logits: no short list is needed where they are at hand. A row whose logits
/// are no numbers keeps the id 0, as on a GPU it keeps any.
pub fn sample(s: &mut Cpu, step: &Sample) {
    s.chosen.clear();
    for row in 0..s.state.out_rows as usize {
        let place = row * SAMPLING_WORDS..(row + 1) * SAMPLING_WORDS;
        let mut sampling: Sampling =
            bytemuck::pod_read_unaligned(bytemuck::cast_slice(&s.buffers[step.sampling.0][place.clone()]));
        let logits = &mut s.buffers[step.logits.buffer.0][step.logits.offset + row * step.logits.stride..]
            [..step.logits.cols];
        let remembered = sampling.window.min(sampling.count).min(SHORTLIST as u32);
        let history: Vec<u32> = (sampling.count - remembered..sampling.count)
            .map(|i| sampling.history[i as usize % SHORTLIST])
            .collect();
        let unit = sampling.draws[sampling.step as usize % STEPS_MAX];
        let chosen = Sampler::new(options(&sampling))
            .and_then(|mut sampler| sampler.sample_at(logits, &history, f64::from(unit)));
        let id = chosen.unwrap_or(0);
        sampling.step += 1;
        sampling.history[sampling.count as usize % SHORTLIST] = id;
        sampling.count += 1;
        let words: &[f32] = bytemuck::cast_slice(std::slice::from_ref(&sampling));
        s.buffers[step.sampling.0][place].copy_from_slice(words);
        s.choose(row, id);
    }
}

fn options(sampling: &Sampling) -> SamplerOptions {
    SamplerOptions {
        temperature: sampling.temperature,
        top_k: sampling.top_k as usize,
        top_p: sampling.top_p,
        min_p: sampling.min_p,
        repetition_penalty: sampling.penalty,
        repetition_window: SHORTLIST,
        ..SamplerOptions::default()
    }
}
