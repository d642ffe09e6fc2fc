//! Text generation in steps of bounded time, so that the caller stays in control.
//!
//! The prompt is processed in slices (prefill). Decode runs in frames: the device feeds each chosen token back by itself, several
//! steps per submission, and on a GPU the next frame runs while the ids of the last one are read back. Prompt-lookup decoding
//! proposes the tokens that followed an earlier occurrence of the last ones and verifies them in one small batch, while that is
//! faster. Samplers that need more than a short list of candidates read the logits of every step.

mod constrained;
mod resume;
mod together;

use std::collections::VecDeque;

use super::error::Error;
use super::generation_options::{GenerationCounts, GenerationEvent, GenerationOptions};
use super::model::{Choice, Model, Sequence};
use super::prompt_lookup::PromptLookup;
use crate::constraint::mask;
use crate::sampler::{Logprobs, Sampler, SamplerOptions, TokenLogprobs};

pub use together::Turn;

/// Something that was submitted and not read yet.
#[derive(Debug)]
struct UnderWay {
    choice: Choice,
    /// Tokens of a slice of the prompt; 0 for a frame.
    slice_tokens: usize,
    submitted_ms: f64,
}

/// A generation under way. End it with [`Generation::end`].
#[derive(Debug)]
pub struct Generation {
    options: GenerationOptions,
    /// Where the device cannot draw with these options.
    sampler: Option<Sampler>,
    sequence: Sequence,
    /// What the sequence has, as far as it was read, and the last choice, which is on no page yet.
    ids: Vec<u32>,
    /// Of them, what has to be read before anything is chosen.
    prompt_tokens: usize,
    /// How many were chosen so far.
    chosen: usize,
    /// True where the device does not hold the last choices: they were made here, or stand behind a guess.
    untold: bool,
    /// True where the device works while the host does something else.
    ahead: bool,
    under_way: VecDeque<UnderWay>,
    /// When something of it was read last.
    read_ms: f64,
    prompt_lookup: Option<PromptLookup>,
    proposal: Vec<u32>,
    logits: Vec<f32>,
    logprobs: (Logprobs, Vec<TokenLogprobs>),
    /// True where the constraint allows nothing more.
    stuck: bool,
    /// Most steps of a frame, where its tokens are compared with masks. Nothing then runs ahead of it.
    frame_max: Option<usize>,
    /// True where the device does not know yet how it draws after these ids.
    draws_anew: bool,
    /// Set where it has no pages because there is no room for them: it goes on when fewer than so many run.
    waits_beside: Option<usize>,
    counts: GenerationCounts,
}

impl Generation {
    /// Begins to continue `prompt`, which has at least one id. Nothing runs yet.
    ///
    /// # Errors
    /// `Sampler` for options that are none.
    pub fn begin(model: &mut Model, prompt: &[u32], mut options: GenerationOptions) -> Result<Self, Error> {
        let has_masks = options.constraint.as_ref().is_some_and(|constraint| constraint.has_masks());
        let ahead = model.device().works_by_itself();
        let sampler = options.sampler_beside(model)?;
        let written = std::mem::take(&mut options.written);
        if let Some(constraint) = &mut options.constraint {
            written.iter().for_each(|&id| constraint.accept(id));
        }
        let ids = [prompt, &written].concat();
        let sequence = model.begin_with(&ids);
        let is_greedy = options.sampling.is_none() && options.logprobs.is_none();
        let prompt_lookup = (options.prompt_lookup && is_greedy && model.verify_max() > 1).then(|| {
            let most_tokens = prompt.len().saturating_add(options.tokens_max);
            let mut prompt_lookup = PromptLookup::new(most_tokens.min(model.info().context_tokens));
            prompt_lookup.read(&ids);
            prompt_lookup
        });
        let reused = sequence.len_tokens().min(prompt.len());
        Ok(Generation {
            counts: GenerationCounts { reused, ..GenerationCounts::default() },
            options,
            sampler,
            sequence,
            prompt_tokens: ids.len(),
            ids,
            chosen: written.len(),
            untold: false,
            ahead,
            under_way: VecDeque::with_capacity(Model::CHOICES_MAX),
            read_ms: f64::NEG_INFINITY,
            prompt_lookup,
            proposal: Vec::new(),
            logits: Vec::new(),
            logprobs: Default::default(),
            stuck: false,
            frame_max: has_masks.then_some(1),
            draws_anew: true,
            waits_beside: None,
        })
    }

    /// The prompt and what was chosen, less what a full context has forgotten.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// What it has done so far.
    pub fn counts(&self) -> GenerationCounts {
        let prompt_lookup = self.prompt_lookup.as_ref().map(PromptLookup::stats).unwrap_or_default();
        GenerationCounts { prompt_lookup, ..self.counts }
    }

    /// The log probabilities of what was chosen since the last call, one per id, where they were asked for.
    pub fn take_logprobs(&mut self) -> Vec<TokenLogprobs> {
        std::mem::take(&mut self.logprobs.1)
    }

    /// Begins anew with these ids; what pages hold of them already is not read again.
    fn read_again(&mut self, model: &mut Model, ids: Vec<u32>) {
        model.begin_again(&mut self.sequence, &ids);
        self.waits_beside = None;
        self.prompt_tokens = ids.len();
        self.ids = ids;
        if let Some(prompt_lookup) = &mut self.prompt_lookup {
            prompt_lookup.read(&self.ids);
        }
        self.under_way.clear();
        self.untold = false;
    }

    /// Gives its pages back; what they hold is there for the next prompt that begins alike.
    pub fn end(mut self, model: &mut Model) {
        model.settle(&mut self.sequence, &self.ids);
        model.end(self.sequence);
    }

    /// Does the next piece of work. `chosen` is overwritten with the ids that it gave. Who has seen enough of them just
    /// stops asking. `now_ms` is the caller's clock.
    ///
    /// # Errors
    /// `Device` where the device fails; `CacheFull` where other sequences hold the KV cache; `UnknownToken` for an id of the
    /// prompt that the vocabulary does not have; `NotThisModel` for an embedding model. A full context is no error but an
    /// event. What `chosen` holds then was chosen before the failure, and counts.
    pub async fn step(
        &mut self,
        model: &mut Model,
        now_ms: &impl Fn() -> f64,
        chosen: &mut Vec<u32>,
    ) -> Result<GenerationEvent, Error> {
        chosen.clear();
        if self.sequence.len_tokens() < self.prompt_tokens {
            return self.read(model, now_ms).await;
        }
        if self.stuck || self.chosen >= self.options.tokens_max {
            return Ok(GenerationEvent::End);
        }
        if let Some(event) = self.follow(model, chosen)? {
            return Ok(event);
        }
        match self.sampler {
            Some(_) => self.sample(model, chosen).await?,
            None => {
                if let Err(error) = self.choose(model, now_ms, chosen).await {
                    chosen.clear();
                    return Err(error);
                }
                if let Err(error) = self.correct(model, chosen).await {
                    // The constraint has taken them.
                    self.keep(chosen);
                    return Err(error);
                }
            }
        }
        if chosen.is_empty() {
            if self.stuck {
                return Ok(GenerationEvent::End);
            }
            return Ok(self.overflow(model));
        }
        self.keep(chosen);
        Ok(GenerationEvent::Chosen)
    }

    fn keep(&mut self, chosen: &[u32]) {
        self.ids.extend_from_slice(chosen);
        self.chosen += chosen.len();
        if let Some(prompt_lookup) = &mut self.prompt_lookup {
            prompt_lookup.push(&self.ids);
        }
    }

    /// Reads the next slice of the prompt. After the last one a choice is under way.
    async fn read(&mut self, model: &mut Model, now_ms: &impl Fn() -> f64) -> Result<GenerationEvent, Error> {
        if self.sequence.len_tokens() == 0 {
            // Another one may have read what it begins with since this one was begun.
            model.begin_again(&mut self.sequence, &self.ids);
            self.counts.reused = self.counts.reused.max(self.sequence.len_tokens());
        }
        let start = self.sequence.len_tokens();
        let slice = &self.ids[start..self.prompt_tokens.min(start + model.pace.slices.next())];
        let (slice_tokens, submitted_ms) = (slice.len(), now_ms());
        let is_last = start + slice_tokens == self.prompt_tokens;
        self.counts.slices += 1;
        // Not before the last slice: how many there are is a matter of time, and random numbers must not be.
        let draws_anew = is_last && self.draws_anew && self.sampler.is_none();
        if let Some(sampling) = self.options.sampling.as_ref().filter(|_| draws_anew) {
            let seed = sampling.seed.wrapping_add((self.counts.slides + self.counts.resumed) as u64);
            model.draw_with(&mut self.sequence, Some(SamplerOptions { seed, ..sampling.clone() }))?;
            self.draws_anew = false;
        }
        // What follows is asked for behind the last slice only.
        let choice = match is_last {
            true => model.feed(&mut self.sequence, slice)?,
            false => model.prefill(&mut self.sequence, slice)?,
        };
        if self.ahead || is_last {
            self.under_way.push_back(UnderWay { choice, slice_tokens, submitted_ms });
        } else {
            model.pace.slices.measured(slice_tokens, now_ms() - submitted_ms);
        }
        if is_last {
            model.settle(&mut self.sequence, &self.ids);
        }
        // One slice is computed while the next one is made ready.
        while self.under_way.len() > 1 {
            self.wait(model, now_ms, &mut Vec::new()).await?;
        }
        Ok(GenerationEvent::Read { done: self.sequence.len_tokens(), total: self.prompt_tokens })
    }

    /// The device's choices: of a frame, or of a guess that was checked. None where no more fit.
    async fn choose(
        &mut self,
        model: &mut Model,
        now_ms: &impl Fn() -> f64,
        chosen: &mut Vec<u32>,
    ) -> Result<(), Error> {
        let guesses = self.propose(model);
        if self.under_way.is_empty() {
            if guesses {
                return self.verify(model, now_ms, chosen).await;
            }
            if !self.submit(model, now_ms())? {
                return Ok(());
            }
        }
        // A guess begins with the last choice, so it has to wait for what is under way.
        if self.ahead && !guesses && self.frame_max.is_none() && self.under_way.len() < Model::CHOICES_MAX {
            self.submit(model, now_ms())?;
        }
        self.wait(model, now_ms, chosen).await
    }

    /// Ids that are wanted beyond what is under way, and for which there is room.
    fn wanted(&self, model: &Model) -> usize {
        let under_way: usize = self.under_way.iter().map(|u| u.choice.len()).sum();
        let room = model.info().context_tokens - self.sequence.len_tokens();
        room.min(self.options.tokens_max.saturating_sub(self.chosen + under_way))
    }

    /// Submits a frame, or a single step where the device has to be told the last choice. False where none is wanted.
    fn submit(&mut self, model: &mut Model, submitted_ms: f64) -> Result<bool, Error> {
        let steps =
            model.pace.frames.next().min(self.wanted(model)).min(self.frame_max.unwrap_or(usize::MAX));
        if steps == 0 {
            return Ok(false);
        }
        let told = if self.untold { self.tell(model)? } else { None };
        let choice = match told {
            Some(choice) => choice,
            None => model.go_on(&mut [&mut self.sequence], steps)?,
        };
        self.untold = false;
        self.counts.submissions += 1;
        self.counts.choices += choice.len();
        self.under_way.push_back(UnderWay { choice, slice_tokens: 0, submitted_ms });
        Ok(true)
    }

    /// Waits for the oldest of what is under way.
    async fn wait(
        &mut self,
        model: &mut Model,
        now_ms: &impl Fn() -> f64,
        chosen: &mut Vec<u32>,
    ) -> Result<(), Error> {
        let Some(oldest) = self.under_way.pop_front() else { return Err(Error::NothingChosen) };
        model.chosen(oldest.choice, chosen).await?;
        let end_ms = now_ms();
        // The device began with it once it was through with what came before.
        let time_ms = end_ms - oldest.submitted_ms.max(self.read_ms);
        self.read_ms = end_ms;
        if oldest.slice_tokens > 0 {
            model.pace.slices.measured(oldest.slice_tokens, time_ms);
        } else {
            let steps = oldest.choice.len();
            model.pace.frames.measured(steps, time_ms);
            if let Some(prompt_lookup) = &mut self.prompt_lookup {
                prompt_lookup.measured(1, time_ms / steps as f64);
            }
        }
        Ok(())
    }

    /// Whether there is a guess that is worth checking; it is left in `proposal`.
    fn propose(&mut self, model: &Model) -> bool {
        // A guess stands behind one token that the device does not have.
        let is_behind = self.ids.len() > self.sequence.len_tokens() + 1;
        let wanted = if is_behind { 0 } else { self.wanted(model).min(model.verify_max()) };
        match &self.prompt_lookup {
            Some(prompt_lookup) if wanted > 1 => {
                prompt_lookup.propose(&self.ids, wanted - 1, &mut self.proposal);
            }
            _ => self.proposal.clear(),
        }
        !self.proposal.is_empty()
    }

    /// Checks the proposal in one batch. As many ids are chosen as were guessed right, and one more.
    async fn verify(
        &mut self,
        model: &mut Model,
        now_ms: &impl Fn() -> f64,
        chosen: &mut Vec<u32>,
    ) -> Result<(), Error> {
        let (start, begin_ms) = (self.sequence.len_tokens(), now_ms());
        let guess = &mut self.proposal;
        guess.splice(..0, self.ids.last().copied());
        let choice = model.verify(&mut self.sequence, guess)?;
        model.chosen(choice, chosen).await?;
        let right = guess[1..].iter().zip(chosen.iter()).take_while(|(a, b)| a == b).count();
        chosen.truncate(right + 1);
        model.rewind(&mut self.sequence, start + chosen.len())?;
        self.untold = true;
        self.counts.submissions += 1;
        self.counts.choices += chosen.len();
        self.read_ms = now_ms();
        if let Some(prompt_lookup) = &mut self.prompt_lookup {
            prompt_lookup.count(guess.len() - 1, right);
            prompt_lookup.measured(guess.len(), self.read_ms - begin_ms);
        }
        Ok(())
    }

    /// The sampler's choice. None where no more fit.
    async fn sample(&mut self, model: &mut Model, chosen: &mut Vec<u32>) -> Result<(), Error> {
        // What the device chose is not asked for.
        self.under_way.clear();
        if self.untold {
            if self.wanted(model) == 0 {
                return Ok(());
            }
            self.tell(model)?;
            self.counts.submissions += 1;
            self.counts.choices += 1;
        }
        model.logits(&mut self.logits).await?;
        if self.options.logprobs.is_some() {
            self.logprobs.0.take(&self.logits);
        }
        if let Some(constraint) = &mut self.options.constraint
            && !mask(&mut **constraint, &mut self.logits)?
        {
            self.stuck = true;
            return Ok(());
        }
        if let Some(sampler) = &mut self.sampler {
            let id = sampler.sample(&mut self.logits, &self.ids)?;
            if let Some(constraint) = &mut self.options.constraint {
                constraint.accept(id);
            }
            if let Some(top) = self.options.logprobs {
                self.logprobs.1.push(self.logprobs.0.of(id, top));
            }
            chosen.push(id);
        }
        self.untold = true;
        Ok(())
    }
}
