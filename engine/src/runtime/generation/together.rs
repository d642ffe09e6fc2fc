//! Several generations of one model side by side, as continuous batching does it: they join and leave between two rounds. Those
//! whose choices the device makes take their steps together, and so do those that draw from the logits here; the prompts of the
//! others are read in order, a slice a round. Each gives the ids that it gives alone.

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
        let mut groups = [Vec::new(), Vec::new()];
        let mut has_read = false;
        for at in 0..all.len() {
            let is_reading = all[at].is_reading();
            if all[at].waits_beside.is_some() || is_reading && has_read {
                continue;
            }
            has_read |= is_reading;
            let shared = match is_alone {
                true => Ok(Shared::No),
                false => all[at].shared_step(model, &mut turns[at].chosen),
            };
            let group = match shared {
                Ok(Shared::Already(event)) => {
                    turns[at].event = Some(Ok(event));
                    continue;
                }
                Ok(Shared::There) => Some(&mut groups[0]),
                Ok(Shared::Here) => Some(&mut groups[1]),
                Ok(Shared::No) => None,
                Err(error) => {
                    settle(model, all, Err(error), &mut turns[at]);
                    continue;
                }
            };
            let fits = |&first: &usize| all[first].sequence.lora() == all[at].sequence.lora();
            let has_place = |group: &&mut Vec<usize>| {
                group.len() < model.sequences_max() && group.first().is_none_or(fits)
            };
            match group.filter(has_place) {
                Some(group) => group.push(at),
                None => alone(model, all, at, now_ms, &mut turns[at]).await,
            }
        }
        for (group, here) in groups.iter().zip([false, true]) {
            match group[..] {
                [] => {}
                // Another one of these may have had to make room.
                _ if group.iter().any(|&at| all[at].waits_beside.is_some()) => {}
                _ if here => drawn(model, all, group, turns).await,
                _ => beside(model, all, group, now_ms, turns).await,
            }
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

    /// Whether others can take the next step with it.
    fn shared_step(&mut self, model: &mut Model, chosen: &mut Vec<u32>) -> Result<Shared, Error> {
        if !self.has_ended_its_step() || self.stuck || self.wanted(model) == 0 {
            return Ok(Shared::No);
        }
        if self.sampler.is_some()
            && let Some(event) = self.follow(model, chosen)?
        {
            return Ok(Shared::Already(event));
        }
        Ok(match (&self.sampler, &self.options.constraint) {
            _ if self.ids.len() != self.sequence.len_tokens() + 1 => Shared::No,
            (Some(_), _) => Shared::Here,
            (None, None) => Shared::There,
            // What the device chooses has to be checked after each frame.
            (None, Some(_)) => Shared::No,
        })
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

/// How a step can be taken with others.
enum Shared {
    /// Not at all.
    No,
    /// The device chooses.
    There,
    /// The ids are drawn from the logits here.
    Here,
    /// It was taken, without the device.
    Already(GenerationEvent),
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
    settle(model, all, event, turn);
}

/// Notes what became of a step that was taken alone. Where there was no room for it, one waits.
fn settle(
    model: &mut Model,
    all: &mut [&mut Generation],
    event: Result<GenerationEvent, Error>,
    turn: &mut Turn,
) {
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
                let chosen: Vec<u32> = ids[row..].iter().step_by(members.len()).copied().collect();
                let generation = &mut *all[at];
                generation.keep(&chosen);
                generation.counts.submissions += 1;
                generation.counts.choices += chosen.len();
                generation.counts.shared += chosen.len();
                turns[at] = Turn { chosen, event: Some(Ok(GenerationEvent::Chosen)) };
            }
        }
        Err(Error::CacheFull { .. }) if make_room(model, all) => {}
        Err(error) => members.iter().for_each(|&at| turns[at].event = Some(Err(error.clone()))),
    }
}

/// A step of several, after which each draws from its logits.
async fn drawn(model: &mut Model, all: &mut [&mut Generation], members: &[usize], turns: &mut [Turn]) {
    let mut logits = Vec::new();
    let run = match feed(model, all, members, |model, sequences, last| model.feed_each(sequences, last)) {
        Ok(_) => model.logits_each(members.len(), &mut logits).await,
        Err(error) => Err(error),
    };
    match run {
        Ok(()) => {
            let rows = logits.chunks_exact((logits.len() / members.len()).max(1));
            for (row, &at) in rows.zip(members) {
                let generation = &mut *all[at];
                generation.logits.clear();
                generation.logits.extend_from_slice(row);
                let mut chosen = Vec::new();
                let event = generation.draw(&mut chosen).map(|()| match chosen.is_empty() {
                    true => GenerationEvent::End,
                    false => GenerationEvent::Chosen,
                });
                generation.keep(&chosen);
                generation.counts.submissions += 1;
                generation.counts.choices += 1;
                generation.counts.shared += chosen.len();
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
    generation.wait_beside(model, running);
    true
}
