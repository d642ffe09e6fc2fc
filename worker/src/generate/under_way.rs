//! A generation, and the text that it becomes.

use std::rc::Rc;

use pith_engine::chat::{OutputFormat, OutputParser};
use pith_engine::runtime::{self, Generation, GenerationEvent, GenerationOptions};
use pith_engine::sampler::{self, SamplerOptions};

use super::Order;
use super::meter::Meter;
use crate::browser::random;
use crate::error::WorkerError;
use crate::grammar::constrain;
use crate::kept_prompts::restore;
use crate::prompt::{Prepared, prepare, system_tokens};
use crate::protocol::{
    FinishReason, GenerationStats, Logprob, Outcome, Overflow, Sampling, Stage, TokenLogprobs,
};
use crate::residency::Resident;
use crate::speaker::{Said, Speaker};
use crate::stop;
use crate::ticket::Ticket;

/// None where the choice is greedy.
fn sampling(sampling: &Sampling) -> Option<SamplerOptions> {
    // In the protocol 0 means off, so that a request may leave everything out.
    let or_one = |value: f32| if value == 0.0 { 1.0 } else { value };
    let repetition_penalty = or_one(sampling.repetition_penalty);
    let options = SamplerOptions {
        temperature: sampling.temperature,
        top_k: sampling.top_k as usize,
        top_p: or_one(sampling.top_p),
        min_p: sampling.min_p,
        repetition_penalty,
        presence_penalty: sampling.presence_penalty,
        frequency_penalty: sampling.frequency_penalty,
        bias: sampling.logit_bias.clone(),
        ..SamplerOptions::default()
    };
    if options.is_greedy() {
        return None;
    }
    let drawn = || (random() * f64::from(u32::MAX)) as u32;
    Some(SamplerOptions { seed: u64::from(sampling.seed.unwrap_or_else(drawn)), ..options })
}

/// A generation, and what it has said so far. It outlives the model that it runs on.
pub struct UnderWay {
    pub generation: Generation,
    speaker: Speaker,
    ids: Vec<u32>,
    prompt_tokens: usize,
    seed: Option<u32>,
    meter: Meter,
    /// Tokens of the prompt that came from the disk.
    restored_tokens: usize,
    /// Whether its prompt is to be kept there.
    keep_prompt: bool,
    /// The loaded model that it runs on: [`Resident::epoch`].
    pub epoch: u32,
}

/// Why a text ended, and whether a stop string ended it.
pub type Reason = (FinishReason, bool);

impl UnderWay {
    /// Reads nothing yet.
    ///
    /// # Errors
    /// `WrongModel`, `NoTokenizer`, `NoChatTemplate`, `BadTemplate`, `ContextFull` where the prompt alone is too long, `BadFormat`,
    /// `FormatTooComplex`, `GrammarUnavailable`, `Cancelled`.
    pub async fn begin(
        resident: &mut Resident,
        (order, has_lora): (&Order, bool),
        ticket: &Rc<Ticket>,
    ) -> Result<Self, WorkerError> {
        resident.expect_encoder(false)?;
        stop::check(&order.stop)?;
        let sampling = sampling(&order.sampling);
        let seed = sampling.as_ref().map(|sampling| sampling.seed as u32);
        let meter = Meter::start(resident);
        let Prepared { ids: prompt, mut parser, calls } = prepare(resident, &order.prompt, ticket).await?;
        // Nothing of a text with a format is a thought.
        if let (Some(parser), true) = (&mut parser, order.format.is_some()) {
            *parser = OutputParser::new(&OutputFormat::default(), "", Vec::new(), true);
        }
        let overflow = match order.overflow {
            Overflow::Stop => runtime::Overflow::Stop,
            Overflow::Slide { keep } => {
                let keep_tokens = match keep {
                    Some(keep) => keep as usize,
                    None => system_tokens(resident, &order.prompt, &prompt, ticket).await,
                };
                runtime::Overflow::Slide { keep_tokens }
            }
        };
        if order.format.is_some() {
            resident.tokenizer()?;
        }
        let no_format = || WorkerError::BadMessage { why: "not a format".into() };
        let kind = match (&order.format, calls) {
            (Some(format), _) => Some(format.parts().ok_or_else(no_format)?),
            (None, Some(_)) if !order.stop.is_empty() => {
                let why = "stop excludes mustCall and strict tools".into();
                return Err(WorkerError::BadMessage { why });
            }
            (None, calls) => calls.map(|calls| ("toolCalls", calls)),
        };
        let constraint = match (kind, &resident.tokenizer) {
            (Some((kind, text)), Some(tokenizer)) => {
                Some(constrain(tokenizer, &mut resident.vocabulary, (kind, &text), ticket).await?)
            }
            _ => None,
        };
        let options = GenerationOptions {
            tokens_max: order.max_tokens as usize,
            sampling,
            prompt_lookup: order.prompt_lookup,
            overflow,
            constraint,
            logprobs: order.logprobs.map(|top| top as usize),
            written: Vec::new(),
        };
        let speaker = Speaker::new(resident, &order.stop, parser, Rc::clone(ticket));
        let keep_prompt = order.keep_prompt && !has_lora;
        let restored_tokens = if keep_prompt { restore(resident, &prompt, ticket).await? } else { 0 };
        let generation = Generation::begin(&mut resident.model, &prompt, options)?;
        ticket.progress(Stage::Prefill, generation.counts().reused as u64, prompt.len() as u64);
        let (ids, prompt_tokens, epoch) = (Vec::new(), prompt.len(), resident.epoch);
        Ok(UnderWay {
            generation,
            speaker,
            ids,
            prompt_tokens,
            seed,
            meter,
            restored_tokens,
            keep_prompt,
            epoch,
        })
    }

    /// Goes on with a model that was loaded again.
    ///
    /// # Errors
    /// `Sampler`.
    pub fn resume(&mut self, resident: &mut Resident, ticket: &Ticket) -> Result<(), WorkerError> {
        self.epoch = resident.epoch;
        self.meter.resume(resident, self.generation.counts());
        self.generation.resume(&mut resident.model)?;
        ticket.progress(Stage::Prefill, 0, self.generation.ids().len() as u64);
        Ok(())
    }

    /// Takes what a round did; the reason where the text ends with it.
    ///
    /// # Errors
    /// Those of the round.
    pub fn take(
        &mut self,
        resident: &Resident,
        order: &Order,
        (chosen, event): (&[u32], Option<Result<GenerationEvent, runtime::Error>>),
        ticket: &Ticket,
    ) -> Result<Option<Reason>, WorkerError> {
        if let Some(ended) = self.say(resident, chosen) {
            return Ok(Some(ended));
        }
        Ok(match event.transpose()? {
            Some(GenerationEvent::Read { done, total }) => {
                ticket.progress(Stage::Prefill, done as u64, total as u64);
                self.meter.has_read(resident);
                None
            }
            Some(GenerationEvent::Complete) => Some((FinishReason::Stop, false)),
            Some(GenerationEvent::End) if self.ids.len() < order.max_tokens as usize => {
                Some((FinishReason::Context, false))
            }
            Some(GenerationEvent::End) => Some((FinishReason::Length, false)),
            Some(GenerationEvent::Chosen) | None => None,
        })
    }

    /// Takes ids and shows their text; `Some` where the text ends with one of them.
    fn say(&mut self, resident: &Resident, chosen: &[u32]) -> Option<Reason> {
        if chosen.is_empty() {
            return None;
        }
        self.meter.has_chosen();
        let logprobs = self.generation.take_logprobs();
        for (at, &id) in chosen.iter().enumerate() {
            if resident.tokenizer.as_ref().is_some_and(|tokenizer| tokenizer.is_end(id)) {
                return Some((FinishReason::Stop, false));
            }
            self.ids.push(id);
            if let Some(one) = logprobs.get(at) {
                self.speaker.note(named(resident, one));
            }
            if self.speaker.say(id) {
                return Some((FinishReason::Stop, true));
            }
        }
        self.speaker.show();
        None
    }

    /// Ends it.
    pub fn finish(
        self,
        resident: &mut Resident,
        order: &Order,
        (finish_reason, stopped): Reason,
        recoveries: u32,
    ) -> Outcome {
        let UnderWay {
            generation,
            speaker,
            ids,
            prompt_tokens,
            seed,
            meter,
            restored_tokens,
            keep_prompt,
            ..
        } = self;
        let Said { text, logprobs, message } = speaker.finish(stopped);
        let has_calls = message.as_ref().is_some_and(|message| !message.tool_calls.is_empty());
        let finish_reason = match finish_reason {
            FinishReason::Stop if has_calls => FinishReason::ToolCalls,
            reason => reason,
        };
        let logprobs = order.logprobs.is_some().then_some(logprobs);
        let stats = meter.stats(resident, (prompt_tokens, ids.len()), generation.counts());
        // What a full context has forgotten is not there any more.
        let kept = generation.ids().get(..prompt_tokens).filter(|_| keep_prompt && stats.slides == 0);
        let kept = kept.map(<[u32]>::to_vec);
        generation.end(&mut resident.model);
        if let Some(ids) = kept {
            resident.keep_later(&ids);
        }
        let restored_tokens = restored_tokens as u32;
        let stats = GenerationStats { seed, recoveries, restored_tokens, ..stats };
        Outcome::Text { text, message, ids, logprobs, finish_reason, stats }
    }
}

/// With the tokens' texts.
fn named(resident: &Resident, given: &sampler::TokenLogprobs) -> TokenLogprobs {
    let pieces = resident.tokenizer.as_ref().map(|tokenizer| tokenizer.pieces());
    let name = |id: u32, logprob: f32| {
        let mut bytes = Vec::new();
        if let Some(pieces) = &pieces {
            pieces.push(id, &mut bytes);
        }
        Logprob { id, token: String::from_utf8_lossy(&bytes).into_owned(), bytes, logprob }
    };
    TokenLogprobs {
        chosen: name(given.id, given.logprob),
        top: given.top.iter().map(|&(id, logprob)| name(id, logprob)).collect(),
    }
}
