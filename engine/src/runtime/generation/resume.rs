//! Going on after the device was lost.

use super::super::error::Error;
use super::super::generation_options::GenerationOptions;
use super::super::model::Model;
use super::Generation;
use crate::sampler::{Sampler, SamplerOptions};

impl Generation {
    /// Goes on with a model that was made again from the same file, after the device of the one before was lost. What was
    /// read and chosen is read again; then it continues where it was. On another kind of device, and where tokens are
    /// drawn, it may go on with other tokens than it would have.
    ///
    /// # Errors
    /// `Sampler` for options that are none.
    pub fn resume(&mut self, model: &mut Model) -> Result<(), Error> {
        if self.sampler.is_none() {
            self.sampler = sampler_beside(model, &self.options)?;
        }
        self.ahead = model.device().works_by_itself();
        self.counts.resumed += 1;
        let ids = std::mem::take(&mut self.ids);
        self.read_again(model, ids);
        Ok(())
    }
}

/// A sampler, where the choices are made here. The device chooses without asking. A greedy choice that is not allowed is taken
/// back; where that cannot be, where it would spoil what is drawn, and where a mask is at hand beside the logits, the choice is made
/// here.
pub(super) fn sampler_beside(model: &Model, options: &GenerationOptions) -> Result<Option<Sampler>, Error> {
    let has_masks = options.constraint.as_ref().is_some_and(|constraint| constraint.has_masks());
    let takes_back = model.verify_max() > 1 && (model.device().works_by_itself() || !has_masks);
    let here = options.logprobs.is_some()
        || options.constraint.is_some() && (options.sampling.is_some() || !takes_back);
    let given = options.sampling.clone().or_else(|| here.then(SamplerOptions::default));
    let sampler = given.map(Sampler::new).transpose()?;
    Ok(sampler.filter(|sampler| here || !model.can_draw(sampler.options())))
}
