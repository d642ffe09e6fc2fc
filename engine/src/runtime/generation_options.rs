//! What a generation is asked for, and what it tells.

use super::error::Error;
use super::model::Model;
use super::overflow::Overflow;
use super::prompt_lookup::PromptLookupStats;
use crate::constraint::Constraint;
use crate::sampler::{Sampler, SamplerOptions};

/// Options of a generation.
#[derive(Debug, Default)]
pub struct GenerationOptions {
    /// Maximum number of tokens to generate.
    pub tokens_max: usize,
    /// How the next token is chosen; greedy if absent.
    pub sampling: Option<SamplerOptions>,
    /// Prompt-lookup decoding. It does not change the output. Used only with greedy choice, and not for models with recurrent
    /// mixers, which cannot be rewound.
    pub prompt_lookup: bool,
    /// What to do when the context is full.
    pub overflow: Overflow,
    /// What may be chosen at all.
    pub constraint: Option<Box<dyn Constraint>>,
    /// Log probabilities of each choice and of so many of the most probable tokens, for
    /// [`Generation::take_logprobs`](super::Generation::take_logprobs). Reads the logits of every step, and turns prompt-lookup
    /// decoding off.
    pub logprobs: Option<usize>,
    /// What was chosen of this text before, as by a generation that was ended: it is read behind the prompt, and counts as chosen.
    /// Where tokens are drawn, the text may go on otherwise than it would have.
    pub written: Vec<u32>,
}

/// A piece of work that was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GenerationEvent {
    /// So many of the tokens to read have been read.
    Read {
        /// So far.
        done: usize,
        /// Of these.
        total: usize,
    },
    /// Ids were chosen.
    Chosen,
    /// The constraint says that the text is complete.
    Complete,
    /// The context is full, as many ids were chosen as were wanted, or nothing more is allowed.
    End,
}

/// What a generation has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GenerationCounts {
    /// Tokens of the prompt that the cache had already.
    pub reused: usize,
    /// Slices that were read.
    pub slices: usize,
    /// Submissions that chose ids, the last slice aside.
    pub submissions: usize,
    /// Ids that these chose, also those that were not wanted any more.
    pub choices: usize,
    /// Of them, in steps that were taken together with other generations.
    pub shared: usize,
    /// How proposals fared.
    pub prompt_lookup: PromptLookupStats,
    /// How often the context was full and went on.
    pub slides: usize,
    /// How often it went on after its device had been lost.
    pub resumed: usize,
    /// Choices that were not allowed, and were made again.
    pub corrected: usize,
    /// Ids that the constraint gave without the model.
    pub forced: usize,
}

impl GenerationOptions {
    /// A sampler, where the choices are made here. The device chooses without asking. A greedy choice that is not allowed is taken
    /// back; where that cannot be, where it would spoil what is drawn, and where a mask is at hand beside the logits, the choice is made
    /// here.
    pub(super) fn sampler_beside(&self, model: &Model) -> Result<Option<Sampler>, Error> {
        let has_masks = self.constraint.as_ref().is_some_and(|constraint| constraint.has_masks());
        let takes_back = model.verify_max() > 1 && (model.device().works_by_itself() || !has_masks);
        let here =
            self.logprobs.is_some() || self.constraint.is_some() && (self.sampling.is_some() || !takes_back);
        let given = self.sampling.clone().or_else(|| here.then(SamplerOptions::default));
        let sampler = given.map(Sampler::new).transpose()?;
        Ok(sampler.filter(|sampler| here || !model.can_draw(sampler.options())))
    }
}
