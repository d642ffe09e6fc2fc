//! A prompt, continued.

use pith_engine::backend::Counters;
use pith_engine::chat::{OutputFormat, OutputParser};
use pith_engine::runtime::{self, Generation, GenerationCounts, GenerationEvent, GenerationOptions};
use pith_engine::sampler::{self, SamplerOptions};

use crate::browser::{heap_bytes, now_ms, random};
use crate::error::WorkerError;
use crate::grammar::constrain;
use crate::prompt::{Prepared, prepare, system_tokens};
use crate::protocol::{
    FinishReason, Format, GenerationStats, Logprob, LoraUse, Outcome, Overflow, Prompt, Sampling, Stage,
    TokenLogprobs,
};
use crate::recovery::recovering;
use crate::residency::{Residency, Resident};
use crate::speaker::{Said, Speaker};
use crate::ticket::Ticket;

/// Most tokens of which log probabilities may be asked for, beside the chosen one: what OpenAI's API takes.
const LOGPROBS_MAX: u32 = 20;
/// Most biased tokens.
const LOGIT_BIAS_MAX: usize = 1024;

/// What is to be generated.
#[derive(Debug)]
pub struct Order {
    /// What to continue.
    pub prompt: Prompt,
    /// How to choose.
    pub sampling: Sampling,
    /// Most tokens.
    pub max_tokens: u32,
    /// Strings that end it.
    pub stop: Vec<String>,
    /// What to do when the context is full.
    pub overflow: Overflow,
    /// Whether to use prompt-lookup decoding.
    pub prompt_lookup: bool,
    /// Of how many of the most probable tokens to return log probabilities, beside those of the chosen ones.
    pub logprobs: Option<u32>,
    /// What the text has to be.
    pub format: Option<Format>,
}

/// Runs an order on the model called `name`, with this adapter or none; text goes out as `token` events. Where the model's
/// device is lost it goes on with a new one.
///
/// # Errors
/// `ModelNotLoaded`, `LoraNotLoaded`, `WrongModel`, `NoTokenizer`, `NoChatTemplate`, `BadTemplate`, `ContextFull` where the
/// prompt alone is too long, `BadFormat`, `FormatTooComplex`, `GrammarUnavailable`, `Cancelled`, what the device reports.
pub async fn generate(
    residency: &mut Residency,
    (name, lora): (&str, Option<&LoraUse>),
    order: Order,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    check(&order)?;
    let mut under_way = None;
    let result = recovering(residency, name, ticket, async |residency| {
        let resident = residency.model(name, lora, ticket).await?;
        let mut work: UnderWay = match under_way.take() {
            Some(work) => work,
            None => UnderWay::begin(resident, &order, ticket).await?,
        };
        if work.recoveries < ticket.recoveries() {
            work.resume(resident, ticket)?;
        }
        match work.run(resident, &order, ticket).await {
            Ok(reason) => Ok(work.finish(resident, &order, reason)),
            Err(error) => {
                under_way = Some(work);
                Err(error)
            }
        }
    })
    .await;
    if let (Some(work), Ok(resident)) = (under_way, residency.resident(name))
        && work.recoveries == ticket.recoveries()
    {
        work.generation.end(&mut resident.model);
    }
    result
}

/// Refuses orders that contradict themselves.
fn check(order: &Order) -> Result<(), WorkerError> {
    let (most, bias) = (order.logprobs.unwrap_or_default(), order.sampling.logit_bias.len());
    let has_tools = matches!(&order.prompt, Prompt::Chat { tools, .. } if !tools.is_empty());
    let why = if most > LOGPROBS_MAX || bias > LOGIT_BIAS_MAX {
        format!("at most {LOGPROBS_MAX} log probabilities a token and {LOGIT_BIAS_MAX} biases")
    } else if order.format.is_some() && !order.stop.is_empty() {
        "format and stop exclude each other".into()
    } else if order.format.is_some() && has_tools {
        "format and tools exclude each other".into()
    } else {
        return Ok(());
    };
    Err(WorkerError::BadMessage { why })
}

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
struct UnderWay<'a> {
    generation: Generation,
    speaker: Speaker<'a>,
    ids: Vec<u32>,
    prompt_tokens: usize,
    seed: Option<u32>,
    meter: Meter,
    /// Of the request, when the generation was begun or resumed.
    recoveries: u32,
}

/// Why a text ended, and whether a stop string ended it.
type Reason = (FinishReason, bool);

impl<'a> UnderWay<'a> {
    async fn begin(
        resident: &mut Resident,
        order: &Order,
        ticket: &'a Ticket,
    ) -> Result<UnderWay<'a>, WorkerError> {
        resident.expect_encoder(false)?;
        let sampling = sampling(&order.sampling);
        let seed = sampling.as_ref().map(|sampling| sampling.seed as u32);
        let meter = Meter::start(resident);
        let Prepared { ids: prompt, mut parser, calls } = prepare(resident, &order.prompt)?;
        // Nothing of a text with a format is a thought.
        if let (Some(parser), true) = (&mut parser, order.format.is_some()) {
            *parser = OutputParser::new(&OutputFormat::default(), "", Vec::new(), true);
        }
        let overflow = match order.overflow {
            Overflow::Stop => runtime::Overflow::Stop,
            Overflow::Slide { keep } => {
                let system = || system_tokens(resident, &order.prompt, &prompt);
                runtime::Overflow::Slide { keep_tokens: keep.map_or_else(system, |keep| keep as usize) }
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
        };
        let speaker = Speaker::new(resident, &order.stop, parser, ticket);
        let generation = Generation::begin(&mut resident.model, &prompt, options)?;
        ticket.progress(Stage::Prefill, generation.counts().reused as u64, prompt.len() as u64);
        let (ids, prompt_tokens, recoveries) = (Vec::new(), prompt.len(), ticket.recoveries());
        Ok(UnderWay { generation, speaker, ids, prompt_tokens, seed, meter, recoveries })
    }

    /// Goes on with a model that was loaded again.
    fn resume(&mut self, resident: &mut Resident, ticket: &Ticket) -> Result<(), WorkerError> {
        self.recoveries = ticket.recoveries();
        self.meter.resume(resident, self.generation.counts());
        self.generation.resume(&mut resident.model)?;
        ticket.progress(Stage::Prefill, 0, self.generation.ids().len() as u64);
        Ok(())
    }

    async fn run(
        &mut self,
        resident: &mut Resident,
        order: &Order,
        ticket: &Ticket,
    ) -> Result<Reason, WorkerError> {
        let mut chosen = Vec::new();
        loop {
            ticket.checkpoint().await?;
            let event = self.generation.step(&mut resident.model, &now_ms, &mut chosen).await;
            if let Some(ended) = self.say(resident, &chosen) {
                return Ok(ended);
            }
            match event? {
                GenerationEvent::Read { done, total } => {
                    ticket.progress(Stage::Prefill, done as u64, total as u64);
                    self.meter.has_read(resident);
                }
                GenerationEvent::Complete => return Ok((FinishReason::Stop, false)),
                GenerationEvent::End if self.ids.len() < order.max_tokens as usize => {
                    return Ok((FinishReason::Context, false));
                }
                GenerationEvent::End => return Ok((FinishReason::Length, false)),
                GenerationEvent::Chosen => {}
            }
        }
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

    fn finish(self, resident: &mut Resident, order: &Order, (finish_reason, stopped): Reason) -> Outcome {
        let UnderWay { generation, speaker, ids, prompt_tokens, seed, meter, recoveries } = self;
        let Said { text, logprobs, message } = speaker.finish(stopped);
        let has_calls = message.as_ref().is_some_and(|message| !message.tool_calls.is_empty());
        let finish_reason = match finish_reason {
            FinishReason::Stop if has_calls => FinishReason::ToolCalls,
            reason => reason,
        };
        let logprobs = order.logprobs.is_some().then_some(logprobs);
        let stats = meter.stats(resident, (prompt_tokens, ids.len()), generation.counts());
        generation.end(&mut resident.model);
        let stats = GenerationStats { seed, recoveries, ..stats };
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

/// Measures what a generation costs.
struct Meter {
    start_ms: f64,
    start_bytes: u64,
    at_start: Counters,
    /// When the prompt was read. The choices begin there.
    at_read: Counters,
    first_ms: Option<f64>,
    /// Made before the device was lost.
    choices_before: usize,
    /// What was known before the loss is read again.
    reads_again: bool,
}

impl Meter {
    fn start(resident: &Resident) -> Self {
        let at_start = resident.chosen.device.counters();
        let (start_ms, start_bytes) = (now_ms(), heap_bytes());
        Meter {
            start_ms,
            start_bytes,
            at_start,
            at_read: at_start,
            first_ms: None,
            choices_before: 0,
            reads_again: false,
        }
    }

    /// Counts on another device.
    fn resume(&mut self, resident: &Resident, counts: GenerationCounts) {
        self.at_start = resident.chosen.device.counters();
        self.at_read = self.at_start;
        self.choices_before = counts.choices;
        self.reads_again = true;
    }

    fn has_read(&mut self, resident: &Resident) {
        if self.first_ms.is_none() || self.reads_again {
            self.at_read = resident.chosen.device.counters();
        }
    }

    /// The first choice waits for the prompt, so it belongs to it.
    fn has_chosen(&mut self) {
        self.first_ms.get_or_insert_with(now_ms);
        self.reads_again = false;
    }

    fn stats(
        &self,
        resident: &Resident,
        (prompt_tokens, tokens): (usize, usize),
        counts: GenerationCounts,
    ) -> GenerationStats {
        let (end_ms, at_end) = (now_ms(), resident.chosen.device.counters());
        let first_ms = self.first_ms.unwrap_or(end_ms);
        let per_token = |of: fn(&Counters) -> u64| {
            let choices = (counts.choices - self.choices_before).max(1);
            (of(&at_end) - of(&self.at_read)) as f64 / choices as f64
        };
        GenerationStats {
            prompt_tokens: prompt_tokens as u32,
            tokens: tokens as u32,
            prefill_ms: first_ms - self.start_ms,
            decode_ms: end_ms - first_ms,
            objects_created: (at_end.objects_created - self.at_start.objects_created) as u32,
            dispatches_per_token: per_token(|c| c.dispatches),
            submits_per_token: per_token(|c| c.submits),
            queue_writes_per_token: per_token(|c| c.queue_writes),
            readback_bytes_per_token: per_token(|c| c.readback_bytes),
            heap_growth_bytes: heap_bytes() - self.start_bytes,
            reused_tokens: counts.reused as u32,
            slices: counts.slices as u32,
            drafted: counts.prompt_lookup.drafted as u32,
            accepted: counts.prompt_lookup.accepted as u32,
            slides: counts.slides as u32,
            seed: None,
            recoveries: 0,
        }
    }
}
