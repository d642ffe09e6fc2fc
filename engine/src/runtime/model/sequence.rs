//! A sequence of tokens.

use super::lora::LoraUse;
use crate::plan::{SHORTLIST, Sampling, State};
use crate::runtime::pages::Trail;
use crate::sampler::Sampler;

/// Tokens that a model has seen, and the pages that hold their keys and values. End it with [`Model::end`].
#[derive(Debug)]
pub struct Sequence {
    pub(super) id: u64,
    pub(super) pages: Vec<u32>,
    /// What of the pages is known to stay.
    pub(super) trail: Trail,
    pub(super) slot: Option<u32>,
    pub(super) lora: Option<LoraUse>,
    pub(super) len_tokens: usize,
    /// The ids that were fed, and those that have been read of what the device chose. Shorter than `len_tokens` while the
    /// device is ahead.
    pub(super) ids: Vec<u32>,
    /// How what follows is drawn; the largest logit where absent.
    pub(super) sampler: Option<Sampler>,
}

impl Sequence {
    /// Tokens fed so far.
    pub fn len_tokens(&self) -> usize {
        self.len_tokens
    }

    /// Tells it its ids from the first on, as far as they are known: what is drawn after another [`Model::feed`](super::Model::feed)
    /// depends on what the device chose and went on with.
    pub fn know(&mut self, ids: &[u32]) {
        self.ids.truncate(self.len_tokens);
        let known = self.len_tokens.min(ids.len());
        self.ids.extend_from_slice(ids.get(self.ids.len()..known).unwrap_or_default());
    }

    /// The adapter that it runs with.
    pub fn lora(&self) -> Option<LoraUse> {
        self.lora
    }

    /// Which of the plan's bodies runs it.
    pub(super) fn body(&self) -> usize {
        self.lora.map_or(0, |a| a.id.0)
    }

    /// The last ids that it knows of, and the random numbers of the next steps.
    pub(super) fn sampling(&mut self, steps: usize) -> Sampling {
        let mut sampling = Sampling { top_k: 1, top_p: 1.0, penalty: 1.0, ..bytemuck::Zeroable::zeroed() };
        let Some(sampler) = &mut self.sampler else { return sampling };
        let options = sampler.options();
        let last = &self.ids[self.ids.len().saturating_sub(SHORTLIST)..];
        sampling.history[..last.len()].copy_from_slice(last);
        sampling.count = last.len() as u32;
        sampling.window = options.repetition_window.min(SHORTLIST) as u32;
        sampling.temperature = options.temperature;
        sampling.top_k = if options.temperature == 0.0 { 1 } else { options.top_k as u32 };
        sampling.top_p = options.top_p;
        sampling.min_p = options.min_p;
        sampling.penalty = options.repetition_penalty;
        if options.temperature > 0.0 {
            // Below 1 also after rounding.
            let largest = 1.0 - f32::EPSILON;
            sampling.draws[..steps].fill_with(|| (sampler.next_unit() as f32).min(largest));
        }
        sampling
    }

    /// What of a run's state stays the same.
    pub(super) fn state(&self) -> State {
        let factor = self.lora.map_or(0.0, |a| a.factor);
        State { factor, ..State::default() }
    }
}
