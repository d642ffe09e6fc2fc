//! Several generations of one model side by side, as continuous batching does it: they join and leave between two rounds. On a GPU
//! those whose choices it makes take their steps together; the others take theirs in turn, and prompts are read in order, a slice a
//! round. On the CPU several rows are hardly faster than one after another, and rounded otherwise: there all take turns. Each gives
//! the ids that it gives alone, on a GPU up to rounding.

use super::super::error::Error;
use super::super::generation_options::GenerationEvent;
use super::super::model::{Choice, Model, Sequence};
use super::Generation;

/// What a round did for a generation.
#[derive(Debug, Default)]
pub struct Turn {
    /// Ids that it chose.
    pub chosen: Vec<u32>,
    /// What was done, as [`Generation::step`] says it; `None` where it waits for the others.
    pub event: Option<Result<GenerationEvent, Error>>,
}

impl Generation {
    /// Does the next piece of work of several generations of a model, and overwrites `turns` with what became of each. Where the
    /// KV cache has no room for all, the last ones wait until others have ended; what the cache has lost by then is read again.
    pub async fn step_all(
        model: &mut Model,
        all: &mut [&mut Generation],
        now_ms: &impl Fn() -> f64,
        turns: &mut Vec<Turn>,
    ) {
        turns.clear();
        turns.resize_with(all.len(), Turn::default);
        wake(model, all);
        let is_alone = all.len() == 1;
        for generation in all.iter_mut() {
            generation.ahead = is_alone && model.device().works_by_itself();
            // Others may have used the device since.
            generation.untold |= !is_alone && generation.has_ended_its_step();
        }
        let shares = !is_alone && model.device().works_by_itself();
        let mut together: Vec<usize> = Vec::new();
        let mut has_read = false;
        for at in 0..all.len() {
            let is_reading = all[at].is_reading();
            if all[at].waits_beside.is_some() || is_reading && has_read {
                continue;
            }
            has_read |= is_reading;
            let fits = |&first: &usize| all[first].sequence.lora() == all[at].sequence.lora();
            let has_place = together.len() < model.sequences_max() && together.first().is_none_or(fits);
            if shares && has_place && all[at].shares(model) {
                together.push(at);
            } else {
                alone(model, all, at, now_ms, &mut turns[at]).await;
            }
        }
        // One of these may have had to make room.
        together.retain(|&at| all[at].waits_beside.is_none());
        if !together.is_empty() {
            beside(model, all, &together, now_ms, turns).await;
        }
    }

    /// Gives the pages back until the next step, so that something else can use the model. `chosen` is overwritten with the ids
    /// that were under way.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub async fn pause(
        &mut self,
        model: &mut Model,
        now_ms: &impl Fn() -> f64,
        chosen: &mut Vec<u32>,
    ) -> Result<Option<GenerationEvent>, Error> {
        chosen.clear();
        self.ahead = false;
        let is_through = self.is_reading() || self.under_way.is_empty();
        let event =
            if is_through { None } else { Some(self.step_through(model, now_ms, false, chosen).await?) };
        self.wait_beside(model, usize::MAX);
        Ok(event)
    }

    fn is_reading(&self) -> bool {
        self.sequence.len_tokens() < self.prompt_tokens
    }

    /// True where nothing is under way and the last choice is known.
    fn has_ended_its_step(&self) -> bool {
        !self.is_reading() && self.under_way.is_empty()
    }

    /// True where the next step is one that others can take with it.
    fn shares(&self, model: &Model) -> bool {
        let has_masks = self.options.constraint.as_ref().is_some_and(|constraint| constraint.has_masks());
        let chooses_here = self.sampler.is_some() || has_masks;
        let is_next = self.has_ended_its_step() && self.ids.len() == self.sequence.len_tokens() + 1;
        !chooses_here && is_next && !self.stuck && self.wanted(model) > 0
    }

    /// A step of which nothing stays under way, unless it is alone: what the device chooses after a prompt belongs to it, since
    /// another's work would take its place.
    async fn step_through(
        &mut self,
        model: &mut Model,
        now_ms: &impl Fn() -> f64,
        is_alone: bool,
        chosen: &mut Vec<u32>,
    ) -> Result<GenerationEvent, Error> {
        let mut ids = Vec::new();
        loop {
            let event = self.step(model, now_ms, &mut ids).await;
            chosen.append(&mut ids);
            let goes_on = matches!(event, Ok(GenerationEvent::Read { .. } | GenerationEvent::Chosen));
            if is_alone || !goes_on || self.is_reading() || self.under_way.is_empty() {
                self.untold |= !is_alone && self.has_ended_its_step();
                return event;
            }
        }
    }

    /// Waits until fewer than so many run.
    fn wait_beside(&mut self, model: &mut Model, running: usize) {
        self.under_way.clear();
        model.settle(&mut self.sequence, &self.ids);
        model.begin_again(&mut self.sequence, &[]);
        self.waits_beside = Some(running);
    }
}

/// Lets one that waits go on, where there is room for it.
fn wake(model: &mut Model, all: &mut [&mut Generation]) {
    let running = all.iter().filter(|generation| generation.waits_beside.is_none()).count();
    let can_go_on = |generation: &&mut &mut Generation| {
        generation.waits_beside.is_some_and(|most| running == 0 || running < most)
    };
    if let Some(generation) = all.iter_mut().find(can_go_on) {
        let ids = std::mem::take(&mut generation.ids);
        generation.read_again(model, ids);
    }
}

/// A step that is taken alone.
async fn alone(
    model: &mut Model,
    all: &mut [&mut Generation],
    at: usize,
    now_ms: &impl Fn() -> f64,
    turn: &mut Turn,
) {
    let is_alone = all.len() == 1;
    let event = all[at].step_through(model, now_ms, is_alone, &mut turn.chosen).await;
    turn.event = match event {
        Err(Error::CacheFull { .. }) if make_room(model, all) => None,
        event => Some(event),
    };
    if turn.event.is_none() && !turn.chosen.is_empty() {
        turn.event = Some(Ok(GenerationEvent::Chosen));
    }
}

/// A frame of steps that several take together.
async fn beside(
    model: &mut Model,
    all: &mut [&mut Generation],
    members: &[usize],
    now_ms: &impl Fn() -> f64,
    turns: &mut [Turn],
) {
    let submitted_ms = now_ms();
    let wanted = members.iter().map(|&at| all[at].wanted(model)).min().unwrap_or_default();
    let frame = model.pace.together.next().min(wanted);
    let mut ids = Vec::new();
    // It goes on with what it chose itself; where it did not choose last for just these, it is told.
    let run = feed(model, all, members, |model, sequences, last| match model.go_on(sequences, frame) {
        Err(Error::NothingChosen) => model.feed_each(sequences, last),
        result => result,
    });
    let chosen = match run {
        Ok(choice) => model.chosen(choice, &mut ids).await,
        Err(error) => Err(error),
    };
    match chosen {
        Ok(()) => {
            model.pace.together.measured(ids.len() / members.len(), now_ms() - submitted_ms);
            for (row, &at) in members.iter().enumerate() {
                let mut chosen: Vec<u32> = ids[row..].iter().step_by(members.len()).copied().collect();
                let generation = &mut *all[at];
                generation.counts.submissions += 1;
                generation.counts.choices += chosen.len();
                generation.counts.shared += if members.len() > 1 { chosen.len() } else { 0 };
                let corrected = generation.correct(model, &mut chosen).await;
                generation.keep(&chosen);
                let event = corrected.map(|()| GenerationEvent::Chosen);
                turns[at] = Turn { chosen, event: Some(event) };
            }
        }
        Err(Error::CacheFull { .. }) if make_room(model, all) => {}
        Err(error) => members.iter().for_each(|&at| turns[at].event = Some(Err(error.clone()))),
    }
}

/// Runs these, whose last ids go with them.
fn feed(
    model: &mut Model,
    all: &mut [&mut Generation],
    members: &[usize],
    run: impl FnOnce(&mut Model, &mut [&mut Sequence], &[u32]) -> Result<Choice, Error>,
) -> Result<Choice, Error> {
    let mut last = Vec::with_capacity(members.len());
    let mut sequences: Vec<&mut Sequence> = Vec::with_capacity(members.len());
    for (_, generation) in all.iter_mut().enumerate().filter(|(at, _)| members.contains(at)) {
        let Generation { sequence, ids, .. } = &mut **generation;
        last.extend(ids.last());
        sequence.know(ids);
        sequences.push(sequence);
    }
    run(model, &mut sequences, &last)
}

/// Lets the last one that runs wait until others have ended. False where it is the only one.
fn make_room(model: &mut Model, all: &mut [&mut Generation]) -> bool {
    let running = all.iter().filter(|generation| generation.waits_beside.is_none()).count();
    let last = all.iter_mut().rev().find(|generation| generation.waits_beside.is_none());
    let Some(generation) = last.filter(|_| running > 1) else { return false };
    // Until one of the others has ended, or has to wait too.
    generation.wait_beside(model, running - 1);
    true
}
