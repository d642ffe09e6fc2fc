//! A prompt, continued token by token.

use pith_engine::chat::{Message, RenderOptions};
use pith_engine::sampler::{Sampler, SamplerOptions};
use pith_engine::sequence::Sequence;
use pith_engine::tokenizer::{Detokenizer, EncodeOptions};

use crate::browser::{heap_bytes, local_time, now_ms};
use crate::error::WorkerError;
use crate::protocol::{Event, Finish, GenerationStats, Outcome, Prompt, Sampling, Stage};
use crate::residency::Resident;
use crate::stop::{Found, StopMatcher};
use crate::ticket::Ticket;

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
}

/// Runs an order; text goes out as `token` events.
///
/// # Errors
/// `WrongModel`, `NoTokenizer`, `NoChatTemplate`, `BadTemplate`, `ContextFull` where the prompt alone is too long,
/// `Cancelled`, what the device reports.
pub async fn generate(
    resident: &mut Resident,
    order: Order,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    resident.expect_encoder(false)?;
    let prompt_ids = prompt_ids(resident, &order.prompt)?;
    if prompt_ids.is_empty() {
        return Err(WorkerError::BadMessage { why: "the prompt is empty".into() });
    }
    let context_tokens = resident.info.context_tokens as usize;
    if prompt_ids.len() > context_tokens {
        return Err(WorkerError::ContextFull { len_tokens: prompt_ids.len(), context_tokens });
    }
    let mut sequence = resident.model.begin();
    let result = continue_prompt(resident, &mut sequence, &prompt_ids, &order, ticket).await;
    resident.model.end(sequence);
    result
}

/// Token ids of a prompt.
fn prompt_ids(resident: &Resident, prompt: &Prompt) -> Result<Vec<u32>, WorkerError> {
    match prompt {
        Prompt::Ids { ids } => Ok(ids.clone()),
        Prompt::Text { text } => {
            let tokenizer = resident.tokenizer()?;
            let mut ids =
                tokenizer.encode(text, EncodeOptions { add_special: true, parse_special: false })?;
            // A model that ends texts with a token of its own would see this one as finished.
            if tokenizer.adds_eos() && ids.last().copied() == tokenizer.eos() {
                ids.pop();
            }
            Ok(ids)
        }
        Prompt::Chat { messages } => {
            let tokenizer = resident.tokenizer()?;
            let no_template = || WorkerError::NoChatTemplate { name: resident.info.name.clone() };
            let template = resident.chat.as_ref().ok_or_else(no_template)?.as_ref().map_err(Clone::clone)?;
            let messages: Vec<_> = messages.iter().map(|m| Message::new(&m.role, &m.content)).collect();
            let options = RenderOptions {
                add_generation_prompt: true,
                now: Some(local_time()),
                ..RenderOptions::default()
            };
            Ok(tokenizer.encode_pieces(&template.render(&messages, &options)?.pieces)?)
        }
    }
}

/// Chooses ids: by arithmetic on the device where greedy, else from the logits.
struct Chooser {
    sampler: Option<Sampler>,
    logits: Vec<f32>,
}

impl Chooser {
    fn new(sampling: &Sampling) -> Result<Self, WorkerError> {
        // In the protocol 0 means off, so that a request may leave everything out.
        let or_one = |value: f32| if value == 0.0 { 1.0 } else { value };
        let penalty = or_one(sampling.repetition_penalty);
        let greedy = sampling.temperature == 0.0 && penalty == 1.0;
        let options = SamplerOptions {
            temperature: sampling.temperature,
            top_k: sampling.top_k as usize,
            top_p: or_one(sampling.top_p),
            min_p: sampling.min_p,
            repetition_penalty: penalty,
            seed: u64::from(sampling.seed),
            ..SamplerOptions::default()
        };
        let sampler = if greedy { None } else { Some(Sampler::new(options)?) };
        Ok(Chooser { sampler, logits: Vec::new() })
    }

    async fn choose(&mut self, resident: &mut Resident, history: &[u32]) -> Result<u32, WorkerError> {
        match &mut self.sampler {
            None => Ok(resident.model.top().await?),
            Some(sampler) => {
                resident.model.logits(&mut self.logits).await?;
                Ok(sampler.sample(&mut self.logits, history)?)
            }
        }
    }
}

/// Turns ids into text for the page.
struct Speaker<'a> {
    ticket: &'a Ticket,
    detokenizer: Option<Detokenizer>,
    matcher: StopMatcher,
    text: String,
}

impl Speaker<'_> {
    /// True where a stop string ended the text.
    fn say(&mut self, id: u32) -> bool {
        let Some(detokenizer) = &mut self.detokenizer else { return false };
        let piece = detokenizer.push(id);
        self.take(&piece)
    }

    fn take(&mut self, piece: &str) -> bool {
        let (text, stopped) = match self.matcher.push(piece) {
            Found::Text(text) => (text, false),
            Found::Stop(text) => (text, true),
        };
        self.show(text);
        stopped
    }

    /// What was held back, at the end of the answer.
    fn finish(&mut self) {
        let tail = self.detokenizer.as_mut().map(Detokenizer::finish).unwrap_or_default();
        if !self.take(&tail) {
            let held = self.matcher.finish();
            self.show(held);
        }
    }

    fn show(&mut self, text: String) {
        if !text.is_empty() {
            self.text.push_str(&text);
            self.ticket.post(Event::Token { text });
        }
    }
}

async fn continue_prompt(
    resident: &mut Resident,
    sequence: &mut Sequence,
    prompt_ids: &[u32],
    order: &Order,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    let heap_start_bytes = heap_bytes();
    let at_start = resident.chosen.device.counters();
    let start_ms = now_ms();
    let mut chooser = Chooser::new(&order.sampling)?;
    prefill(resident, sequence, prompt_ids, ticket).await?;

    let mut speaker = Speaker {
        ticket,
        detokenizer: resident.tokenizer.as_ref().map(|tokenizer| tokenizer.detokenizer()),
        matcher: StopMatcher::new(&order.stop),
        text: String::new(),
    };
    let mut history = prompt_ids.to_vec();
    let context_tokens = resident.info.context_tokens as usize;
    // The first choice waits for the prefill, so it belongs to it.
    let mut next = chooser.choose(resident, &history).await?;
    let prefill_end_ms = now_ms();
    let after_prefill = resident.chosen.device.counters();
    let mut steps = 0_u32;
    let finish = loop {
        let len_tokens = history.len() - prompt_ids.len();
        if len_tokens >= order.max_tokens as usize {
            speaker.finish();
            break Finish::Length;
        }
        if resident.tokenizer.as_ref().is_some_and(|tokenizer| tokenizer.is_end(next)) {
            speaker.finish();
            break Finish::Stop;
        }
        history.push(next);
        if speaker.say(next) {
            break Finish::Stop;
        }
        if history.len() - prompt_ids.len() >= order.max_tokens as usize {
            continue;
        }
        if sequence.len_tokens() >= context_tokens {
            speaker.finish();
            break Finish::Context;
        }
        ticket.checkpoint().await?;
        resident.model.feed(sequence, &[next])?;
        next = chooser.choose(resident, &history).await?;
        steps += 1;
    };
    let end_ms = now_ms();
    let at_end = resident.chosen.device.counters();
    let per_step = |total: u64| (total / u64::from(steps.max(1))) as u32;
    let ids = history.split_off(prompt_ids.len());
    let stats = GenerationStats {
        prompt_tokens: prompt_ids.len() as u32,
        tokens: ids.len() as u32,
        prefill_ms: prefill_end_ms - start_ms,
        decode_ms: end_ms - prefill_end_ms,
        objects_created: (at_end.objects_created - at_start.objects_created) as u32,
        dispatches_per_token: per_step(at_end.dispatches - after_prefill.dispatches),
        submits_per_token: per_step(at_end.submits - after_prefill.submits),
        readback_bytes_per_token: per_step(at_end.readback_bytes - after_prefill.readback_bytes),
        heap_growth_bytes: heap_bytes() - heap_start_bytes,
    };
    Ok(Outcome::Text { text: speaker.text, ids, finish, stats })
}

/// Feeds the prompt in slices, each a bounded piece of the device's time.
async fn prefill(
    resident: &mut Resident,
    sequence: &mut Sequence,
    ids: &[u32],
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let total = ids.len() as u64;
    let mut done = 0;
    ticket.progress(Stage::Prefill, done, total);
    for slice in ids.chunks(resident.model.slice_tokens().max(1)) {
        ticket.checkpoint().await?;
        resident.model.feed(sequence, slice)?;
        done += slice.len() as u64;
        ticket.progress(Stage::Prefill, done, total);
    }
    Ok(())
}
