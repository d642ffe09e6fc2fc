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
    FinishReason, Format, GenerationStats, Logprob, Outcome, Overflow, Prompt, Sampling, Stage, TokenLogprobs,
};
use crate::residency::Resident;
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

/// Runs an order; text goes out as `token` events.
///
/// # Errors
/// `WrongModel`, `NoTokenizer`, `NoChatTemplate`, `BadTemplate`, `ContextFull` where the prompt alone is too long,
/// `BadFormat`, `FormatTooComplex`, `GrammarUnavailable`, `Cancelled`, what the device reports.
pub async fn generate(
    resident: &mut Resident,
    order: Order,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    resident.expect_encoder(false)?;
    let (most, bias) = (order.logprobs.unwrap_or_default(), order.sampling.logit_bias.len());
    if most > LOGPROBS_MAX || bias > LOGIT_BIAS_MAX {
        let why = format!("at most {LOGPROBS_MAX} log probabilities a token and {LOGIT_BIAS_MAX} biases");
        return Err(WorkerError::BadMessage { why });
    }
    if order.format.is_some() && !order.stop.is_empty() {
        return Err(WorkerError::BadMessage { why: "format and stop exclude each other".into() });
    }
    let sampling = sampling(&order.sampling);
    let seed = sampling.as_ref().map(|sampling| sampling.seed as u32);
    let meter = Meter::start(resident);
    if order.format.is_some() && matches!(&order.prompt, Prompt::Chat { tools, .. } if !tools.is_empty()) {
        return Err(WorkerError::BadMessage { why: "format and tools exclude each other".into() });
    }
    let Prepared { ids: prompt, mut parser } = prepare(resident, &order.prompt)?;
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
    let constraint = match (&order.format, &resident.tokenizer) {
        (Some(format), Some(tokenizer)) => {
            Some(constrain(tokenizer, &mut resident.vocabulary, format, ticket).await?)
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
    let mut generation = Generation::begin(&mut resident.model, &prompt, options)?;
    let mut result = run(resident, &mut generation, &order, parser, meter, ticket).await;
    generation.end(&mut resident.model);
    if let Ok(Outcome::Text { stats, .. }) = &mut result {
        stats.seed = seed;
    }
    result
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

async fn run(
    resident: &mut Resident,
    generation: &mut Generation,
    order: &Order,
    parser: Option<OutputParser>,
    mut meter: Meter,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    let prompt_tokens = generation.ids().len();
    let mut speaker = Speaker::new(resident, &order.stop, parser, ticket);
    let (mut ids, mut chosen) = (Vec::new(), Vec::new());
    ticket.progress(Stage::Prefill, generation.counts().reused as u64, prompt_tokens as u64);
    let (finish_reason, stopped) = 'answer: loop {
        ticket.checkpoint().await?;
        match generation.step(&mut resident.model, &now_ms, &mut chosen).await? {
            GenerationEvent::Read { done, total } => {
                ticket.progress(Stage::Prefill, done as u64, total as u64);
                meter.has_read(resident);
            }
            GenerationEvent::Complete => break (FinishReason::Stop, false),
            GenerationEvent::End if ids.len() < order.max_tokens as usize => {
                break (FinishReason::Context, false);
            }
            GenerationEvent::End => break (FinishReason::Length, false),
            GenerationEvent::Chosen => {
                meter.has_chosen();
                let logprobs = generation.take_logprobs();
                for (at, &id) in chosen.iter().enumerate() {
                    if resident.tokenizer.as_ref().is_some_and(|tokenizer| tokenizer.is_end(id)) {
                        break 'answer (FinishReason::Stop, false);
                    }
                    ids.push(id);
                    if let Some(one) = logprobs.get(at) {
                        speaker.note(named(resident, one));
                    }
                    if speaker.say(id) {
                        break 'answer (FinishReason::Stop, true);
                    }
                }
                speaker.show();
            }
        }
    };
    let Said { text, logprobs, message } = speaker.finish(stopped);
    let has_calls = message.as_ref().is_some_and(|message| !message.tool_calls.is_empty());
    let finish_reason = match finish_reason {
        FinishReason::Stop if has_calls => FinishReason::ToolCalls,
        reason => reason,
    };
    let logprobs = order.logprobs.is_some().then_some(logprobs);
    let stats = meter.stats(resident, prompt_tokens, ids.len(), generation.counts());
    Ok(Outcome::Text { text, message, ids, logprobs, finish_reason, stats })
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
}

impl Meter {
    fn start(resident: &Resident) -> Self {
        let at_start = resident.chosen.device.counters();
        Meter { start_ms: now_ms(), start_bytes: heap_bytes(), at_start, at_read: at_start, first_ms: None }
    }

    fn has_read(&mut self, resident: &Resident) {
        if self.first_ms.is_none() {
            self.at_read = resident.chosen.device.counters();
        }
    }

    /// The first choice waits for the prompt, so it belongs to it.
    fn has_chosen(&mut self) {
        self.first_ms.get_or_insert_with(now_ms);
    }

    fn stats(
        &self,
        resident: &Resident,
        prompt_tokens: usize,
        tokens: usize,
        counts: GenerationCounts,
    ) -> GenerationStats {
        let (end_ms, at_end) = (now_ms(), resident.chosen.device.counters());
        let first_ms = self.first_ms.unwrap_or(end_ms);
        let per_token = |of: fn(&Counters) -> u64| {
            (of(&at_end) - of(&self.at_read)) as f64 / counts.choices.max(1) as f64
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
        }
    }
}
