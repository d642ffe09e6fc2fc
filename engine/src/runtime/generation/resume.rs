//! Going on after the device was lost, and after the context was full.

use super::super::error::Error;
use super::super::generation_options::GenerationEvent;
use super::super::model::Model;
use super::Generation;

impl Generation {
    /// Goes on with a model that was made again from the same file, after the device of the one before was lost. What was
    /// read and chosen is read again; then it continues where it was. On another kind of device, and where tokens are
    /// drawn, it may go on with other tokens than it would have.
    ///
    /// # Errors
    /// `Sampler` for options that are none.
    pub fn resume(&mut self, model: &mut Model) -> Result<(), Error> {
        if self.sampler.is_none() {
            self.sampler = self.options.sampler_beside(model)?;
        }
        self.ahead = model.device().works_by_itself();
        self.counts.resumed += 1;
        // The pages of the one before went with it.
        self.sequence = model.begin();
        self.draws_anew = true;
        let ids = std::mem::take(&mut self.ids);
        self.read_again(model, ids);
        Ok(())
    }

    /// Goes on with part of the context, where that is what was asked for.
    pub(super) fn overflow(&mut self, model: &mut Model) -> GenerationEvent {
        let context_tokens = model.info().context_tokens;
        let Some(ids) = self.options.overflow.remaining(&self.ids, context_tokens) else {
            return GenerationEvent::End;
        };
        model.settle(&mut self.sequence, &self.ids);
        self.read_again(model, ids);
        self.draws_anew = true;
        self.counts.slides += 1;
        GenerationEvent::Read { done: self.sequence.len_tokens(), total: self.prompt_tokens }
    }
}
