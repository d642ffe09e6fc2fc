//! One submission: what is checked, laid out and chosen for it.

use super::{Choice, Model, Outputs, Sequence};
use crate::backend::{Body, Choose, RING, Run};
use crate::plan::{SAMPLING_WORDS, Sampling, State, Token};
use crate::runtime::error::Error;

impl Model {
    /// Runs the tokens `ids` of each sequence, or where there are none `steps` times what the device chose itself.
    pub(super) fn run(
        &mut self,
        sequences: &mut [&mut Sequence],
        ids: &[&[u32]],
        outputs: Outputs,
        steps: usize,
    ) -> Result<Choice, Error> {
        let tokens = self.check(sequences, ids, outputs)?;
        for (i, s) in sequences.iter_mut().enumerate() {
            let len_tokens = s.len_tokens + ids.get(i).map_or(steps, |ids| ids.len());
            if len_tokens > self.info.context_tokens {
                return Err(Error::ContextFull { context_tokens: self.info.context_tokens });
            }
            self.pool.reserve(&mut s.pages, len_tokens)?;
            if s.slot.is_none() && self.plan.layout.state_slots.is_some() {
                let pages = self.plan.layout.state_slots.unwrap_or(0);
                s.slot = Some(self.slots.pop().ok_or(Error::CacheFull { pages })?);
            }
        }
        self.lay_out(sequences, ids);
        let choose = self.choose(sequences, ids, outputs, steps);
        let rows = match outputs {
            Outputs::All => tokens,
            Outputs::Last | Outputs::None => sequences.len(),
        };
        let one_each = tokens == sequences.len();
        let feeds = outputs == Outputs::Last && !self.info.encoder && (one_each || sequences.len() == 1);
        let mut state = State {
            tokens: tokens as u32,
            out_first: if feeds && !one_each { tokens as u32 - 1 } else { 0 },
            out_rows: rows as u32,
            feed: u32::from(feeds),
            ..sequences[0].state()
        };
        for s in sequences.iter().take(self.plan.layout.state_slots.map_or(1, |_| sequences.len())) {
            state.push(s.slot.unwrap_or(0), s.len_tokens == 0);
        }
        let decodes = self.plan.bodies.first().is_some_and(|b| !b.decode.is_empty());
        let body = if one_each && decodes { Body::Decode } else { Body::Prefill };
        let (which, head) = (sequences[0].body(), outputs != Outputs::None);
        let place = self.last.map_or(0, |last| (last.place + 1) % RING);
        let run = Run { state, tokens: &self.records, which, body, head, choose, steps };
        self.executor.run(&run, (!self.info.encoder).then_some(place))?;
        for (i, s) in sequences.iter_mut().enumerate() {
            s.len_tokens += ids.get(i).map_or(steps, |ids| ids.len());
        }
        self.ahead.clear();
        if feeds {
            self.ahead.extend(sequences.iter().map(|s| s.id));
        }
        let choice = Choice { place, rows, steps };
        if !self.info.encoder {
            self.last = Some(choice);
        }
        Ok(choice)
    }

    /// Notes the ids that are fed, and how what follows them is chosen. The device keeps histories of its own as long as it
    /// goes on with the same sequences; random numbers come from here.
    fn choose(
        &mut self,
        sequences: &mut [&mut Sequence],
        ids: &[&[u32]],
        outputs: Outputs,
        steps: usize,
    ) -> Choose {
        for (s, ids) in sequences.iter_mut().zip(ids) {
            s.ids.truncate(s.len_tokens);
            s.ids.extend_from_slice(ids);
        }
        if outputs == Outputs::None || self.info.encoder {
            return Choose::None;
        }
        if outputs == Outputs::All || sequences.iter().all(|s| s.sampler.is_none()) {
            self.drawn.clear();
            return Choose::Greedy;
        }
        let goes_on = ids.is_empty() && self.drawn.iter().copied().eq(sequences.iter().map(|s| s.id));
        let rows: Vec<Sampling> = sequences.iter_mut().map(|s| s.sampling(steps)).collect();
        if goes_on {
            // What changes lies side by side: which draw is next, and the draws.
            let changes = std::mem::offset_of!(Sampling, step)..std::mem::offset_of!(Sampling, history);
            for (i, row) in rows.iter().enumerate() {
                let words = bytemuck::cast_slice(&bytemuck::bytes_of(row)[changes.clone()]);
                self.executor.upload_values(
                    self.plan.layout.sampling,
                    i * SAMPLING_WORDS + changes.start / 4,
                    words,
                );
            }
        } else {
            self.executor.upload_values(self.plan.layout.sampling, 0, bytemuck::cast_slice(&rows));
            self.drawn.clear();
            self.drawn.extend(sequences.iter().map(|s| s.id));
        }
        Choose::Sampled
    }

    /// Says no to what the plan has no room for, before anything is changed. Gives the number of tokens in a step.
    fn check(&self, sequences: &[&mut Sequence], ids: &[&[u32]], outputs: Outputs) -> Result<usize, Error> {
        let Some(first) = sequences.first() else { return Err(Error::BadSlice { tokens: 0, max: 1 }) };
        if outputs != Outputs::None && !self.info.encoder && self.plan.layout.logits.is_none() {
            return Err(Error::NotThisModel { what: "continue text" });
        }
        let max = if self.info.encoder { self.plan.layout.options.sequences } else { self.sequences_max() };
        if sequences.len() > max || sequences.iter().any(|s| s.lora != first.lora) {
            return Err(Error::NotThisModel { what: "run these sequences together" });
        }
        if ids.is_empty() {
            if !self.ahead.iter().copied().eq(sequences.iter().map(|s| s.id)) {
                return Err(Error::NothingChosen);
            }
            return Ok(sequences.len());
        }
        let (tokens, max) = (ids.iter().map(|ids| ids.len()).sum(), self.slice_tokens());
        let several = sequences.len() > 1 && !self.info.encoder;
        let misfit = ids.len() != sequences.len() || several && tokens != sequences.len();
        if misfit || tokens > max || ids.iter().any(|ids| ids.is_empty()) {
            return Err(Error::BadSlice { tokens, max });
        }
        let vocab = self.info.vocab;
        match ids.iter().copied().flatten().find(|&&id| id as usize >= vocab) {
            Some(&id) => Err(Error::UnknownToken { id, vocab }),
            None => Ok(tokens),
        }
    }

    /// Fills the records of the tokens, and brings the page tables on the device up to date. Tables have fixed places
    /// where sequences go on, so that they can grow while the device makes records by itself.
    fn lay_out(&mut self, sequences: &[&mut Sequence], ids: &[&[u32]]) {
        self.records.clear();
        let apart = if self.info.encoder { 0 } else { self.plan.layout.kv_pages };
        let mut pages_first = 0;
        for (s, ids) in sequences.iter().zip(ids) {
            let end = (s.len_tokens + ids.len()) as u32;
            let record = |(i, &id): (usize, &u32)| {
                let position = (s.len_tokens + i) as u32;
                Token { id, position, pages_first: pages_first as u32, end }
            };
            self.records.extend(ids.iter().enumerate().map(record));
            pages_first += apart.max(s.pages.len());
        }
        let bound = |s: &&mut Sequence| (s.id, s.pages.len());
        if self.bound.iter().copied().eq(sequences.iter().map(bound)) {
            return;
        }
        self.bound.clear();
        self.bound.extend(sequences.iter().map(bound));
        self.tables.clear();
        for (i, s) in sequences.iter().enumerate() {
            self.tables.resize(self.tables.len().max(i * apart), 0);
            self.tables.extend_from_slice(&s.pages);
        }
        self.executor.upload_pages(&self.tables);
    }
}
