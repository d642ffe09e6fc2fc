//! What a constraint changes in a generation.

use super::super::error::Error;
use super::super::generation_options::GenerationEvent;
use super::super::model::{Choice, Model};
use super::Generation;
use crate::constraint::{Next, best_allowed};

/// Most steps of a frame whose tokens are compared with masks.
const FRAME_STEPS_MAX: usize = 32;

impl Generation {
    /// What the constraint knows without the model: that the text is complete, or which tokens come next. These are fed with
    /// the next choice, as one batch.
    pub(super) fn follow(
        &mut self,
        model: &mut Model,
        chosen: &mut Vec<u32>,
    ) -> Result<Option<GenerationEvent>, Error> {
        let Some(constraint) = &mut self.options.constraint else { return Ok(None) };
        if constraint.is_complete() {
            return Ok(Some(GenerationEvent::Complete));
        }
        let slice_tokens = model.slice_tokens();
        // With log probabilities every token is looked at by itself.
        if constraint.has_masks()
            && self.options.logprobs.is_none()
            && let Next::Forced(ids) = constraint.next()?
        {
            let wanted = self.options.tokens_max.saturating_sub(self.chosen).min(slice_tokens);
            let room = model.info().context_tokens.saturating_sub(self.ids.len());
            chosen.extend(ids.iter().take(wanted.min(room)));
        }
        if chosen.is_empty() {
            return Ok(None);
        }
        chosen.iter().for_each(|&id| constraint.accept(id));
        // What the device chose after the prompt is not asked for.
        self.under_way.clear();
        self.untold = true;
        self.counts.forced += chosen.len();
        self.keep(chosen);
        let read = self.sequence.len_tokens();
        if self.ids.len() - read > slice_tokens {
            model.prefill(&mut self.sequence, &self.ids[read..read + slice_tokens])?;
        }
        Ok(Some(GenerationEvent::Chosen))
    }

    /// Feeds what was chosen here. The last submission chooses what follows; `None` where there was nothing to feed.
    pub(super) fn tell(&mut self, model: &mut Model) -> Result<Option<Choice>, Error> {
        self.sequence.know(&self.ids);
        let pending = self.ids.get(self.sequence.len_tokens()..).unwrap_or_default();
        let mut slices = pending.chunks(model.slice_tokens()).peekable();
        while let Some(slice) = slices.next() {
            if slices.peek().is_none() {
                return model.feed(&mut self.sequence, slice).map(Some);
            }
            model.prefill(&mut self.sequence, slice)?;
        }
        Ok(None)
    }

    /// Where the device chose what is not allowed, takes that and all behind it back, and chooses again.
    pub(super) async fn correct(&mut self, model: &mut Model, chosen: &mut Vec<u32>) -> Result<(), Error> {
        let Some(constraint) = &mut self.options.constraint else { return Ok(()) };
        for (at, &id) in chosen.iter().enumerate() {
            if constraint.is_complete() {
                chosen.truncate(at);
                break;
            }
            if constraint.allows(id) {
                constraint.accept(id);
                continue;
            }
            chosen.truncate(at);
            // Of what is under way nothing is wanted.
            self.under_way.clear();
            let known: Vec<u32> = self.ids.iter().chain(&*chosen).copied().collect();
            let left = model.rewind(&mut self.sequence, known.len() - 1)?;
            let (before, last) = known[left..].split_at(known.len() - 1 - left);
            for slice in before.chunks(model.slice_tokens()) {
                model.prefill(&mut self.sequence, slice)?;
            }
            model.feed(&mut self.sequence, last)?;
            model.logits(&mut self.logits).await?;
            model.drop_choice();
            self.counts.submissions += 1;
            self.counts.choices += 1;
            self.counts.corrected += 1;
            match best_allowed(&mut **constraint, &mut self.logits)? {
                Some(id) => {
                    constraint.accept(id);
                    chosen.push(id);
                }
                None => self.stuck = true,
            }
            self.untold = true;
            self.frame_max = self.frame_max.map(|_| 1);
            return Ok(());
        }
        // The longer the model keeps to the constraint by itself, the more steps it may run ahead.
        self.frame_max = self.frame_max.map(|max| (max * 2).min(FRAME_STEPS_MAX));
        Ok(())
    }
}
