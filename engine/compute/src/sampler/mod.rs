//! Chooses the next token from logits.
//!
//! Stages, in this order (llama.cpp's, so that users' settings carry over):
//!
//! 1. bias, added to the logits of the tokens that have one; then penalties: the logit of every token among the last
//!    `repetition_window` of the history is, once per token, divided by the repetition penalty if positive, multiplied by
//!    it otherwise; the frequency penalty is subtracted as often as the token occurs, the presence penalty once;
//! 2. temperature 0: the highest logit, the lowest id among equals, and nothing more;
//! 3. top-k: the k highest logits;
//! 4. top-p: the fewest most probable tokens whose probabilities (softmax over what top-k left) sum to at least p;
//! 5. min-p: of these, the tokens at least `min_p` times as probable as the most probable one;
//! 6. temperature: logits are divided by it, softmax, and one is drawn.
//!
//! At least one token survives each stage. The same seed, options and logits choose the same tokens on every
//! platform: exponentials, random numbers and the order among equals are this module's own.

mod error;
mod logprobs;
mod math;

pub use error::SamplerError;
pub use logprobs::{Logprobs, TokenLogprobs};

use math::{Random, exp};
use std::cmp::Ordering;

/// The largest bias. What a constraint forbids stays below it.
const BIAS_MAX: f32 = 1e9;

/// How to choose. The default is greedy.
#[derive(Debug, Clone, PartialEq)]
pub struct SamplerOptions {
    /// 0 is greedy; higher is more even. At least 0.
    pub temperature: f32,
    /// How many tokens may be chosen from; 0 for all.
    pub top_k: usize,
    /// Probability that the tokens chosen from must reach together, above 0; 1 for all.
    pub top_p: f32,
    /// Probability relative to the best token's below which a token is out, 0 to 1; 0 for none.
    pub min_p: f32,
    /// Above 1 makes repetition less likely, below 1 more likely; 1 leaves logits alone. Above 0.
    pub repetition_penalty: f32,
    /// Subtracted from the logit of every token that occurs, -100 to 100; 0 leaves logits alone.
    pub presence_penalty: f32,
    /// Subtracted from the logit of a token as often as it occurs, -100 to 100; 0 leaves logits alone.
    pub frequency_penalty: f32,
    /// How many tokens at the end of the history count as repetition, for all three penalties.
    pub repetition_window: usize,
    /// Added to the logits of these tokens, -1e9 to 1e9; -100 in effect forbids a token.
    pub bias: Vec<(u32, f32)>,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for SamplerOptions {
    fn default() -> Self {
        Self {
            temperature: 0.0,
            top_k: 0,
            top_p: 1.0,
            min_p: 0.0,
            repetition_penalty: 1.0,
            presence_penalty: 0.0,
            frequency_penalty: 0.0,
            repetition_window: 64,
            bias: Vec::new(),
            seed: 0,
        }
    }
}

impl SamplerOptions {
    /// Whether the choice is the largest logit.
    pub fn is_greedy(&self) -> bool {
        self.temperature == 0.0 && self.repetition_penalty == 1.0 && self.has_no_bias()
    }

    /// Whether logits change by no more than the repetition penalty.
    pub fn has_no_bias(&self) -> bool {
        self.presence_penalty == 0.0 && self.frequency_penalty == 0.0 && self.bias.is_empty()
    }
}

/// A token and its logit.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Before the softmax.
    pub logit: f32,
    /// The token.
    pub id: u32,
}

/// Highest logit first, lowest id among equals. Logits are finite.
fn better(a: &Candidate, b: &Candidate) -> Ordering {
    b.logit.partial_cmp(&a.logit).unwrap_or(Ordering::Equal).then(a.id.cmp(&b.id))
}

/// The state of one generation: options, random numbers, and buffers that are kept from token to token.
#[derive(Debug, Clone)]
pub struct Sampler {
    options: SamplerOptions,
    random: Random,
    candidates: Vec<Candidate>,
    repeated: Vec<u32>,
}

impl Sampler {
    /// Checks the options.
    ///
    /// # Errors
    /// [`SamplerError::BadOption`] for a NaN or a value outside the range that the field states.
    pub fn new(options: SamplerOptions) -> Result<Self, SamplerError> {
        let check = |name, value: f32, holds: bool| {
            if holds && value.is_finite() { Ok(()) } else { Err(SamplerError::BadOption { name, value }) }
        };
        check("temperature", options.temperature, options.temperature >= 0.0)?;
        check("top_p", options.top_p, options.top_p > 0.0 && options.top_p <= 1.0)?;
        check("min_p", options.min_p, (0.0..=1.0).contains(&options.min_p))?;
        check("repetition_penalty", options.repetition_penalty, options.repetition_penalty > 0.0)?;
        let penalty = |value: f32| (-100.0..=100.0).contains(&value);
        check("presence_penalty", options.presence_penalty, penalty(options.presence_penalty))?;
        check("frequency_penalty", options.frequency_penalty, penalty(options.frequency_penalty))?;
        for &(_, bias) in &options.bias {
            check("bias", bias, bias.abs() <= BIAS_MAX)?;
        }
        let random = Random::new(options.seed);
        Ok(Self { options, random, candidates: Vec::new(), repeated: Vec::new() })
    }

    /// The options it was made with.
    pub fn options(&self) -> &SamplerOptions {
        &self.options
    }

    /// The next token. `logits` has one entry per token of the vocabulary and is changed by the penalty; `history` is
    /// the prompt and what was generated. Allocates at the first call only.
    ///
    /// # Errors
    /// [`SamplerError::NonFiniteLogit`], [`SamplerError::NoLogits`]; the random numbers are not advanced then.
    pub fn sample(&mut self, logits: &mut [f32], history: &[u32]) -> Result<u32, SamplerError> {
        let before = self.random.clone();
        let unit = self.next_unit();
        let chosen = self.sample_at(logits, history, unit);
        if chosen.is_err() || self.options.temperature == 0.0 {
            self.random = before;
        }
        chosen
    }

    /// The random number that the next draw needs, in [0, 1).
    pub fn next_unit(&mut self) -> f64 {
        self.random.next_unit()
    }

    /// As [`Self::sample`], with a random number from elsewhere.
    ///
    /// # Errors
    /// As [`Self::sample`].
    pub fn sample_at(&mut self, logits: &mut [f32], history: &[u32], unit: f64) -> Result<u32, SamplerError> {
        if let Some(id) = logits.iter().position(|logit| !logit.is_finite()) {
            return Err(SamplerError::NonFiniteLogit { id: id as u32 });
        }
        self.penalise(logits, history);
        let best = greedy(logits).ok_or(SamplerError::NoLogits)?;
        if self.options.temperature == 0.0 {
            return Ok(best.id);
        }
        self.candidates.clear();
        self.candidates.extend((0..).zip(logits.iter()).map(|(id, &logit)| Candidate { logit, id }));
        self.keep_top_k();
        self.keep_top_p(best.logit);
        self.keep_min_p(best.logit);
        Ok(self.draw(best, unit))
    }

    /// An extreme penalty or bias must not turn a logit into an infinity.
    fn penalise(&mut self, logits: &mut [f32], history: &[u32]) {
        let SamplerOptions { repetition_penalty, presence_penalty, frequency_penalty, .. } = self.options;
        let set = |logit: &mut f32, value: f32| *logit = value.clamp(f32::MIN, f32::MAX);
        for &(id, bias) in &self.options.bias {
            if let Some(logit) = logits.get_mut(id as usize) {
                set(logit, *logit + bias);
            }
        }
        if repetition_penalty != 1.0 || presence_penalty != 0.0 || frequency_penalty != 0.0 {
            self.repeated.clear();
            self.repeated
                .extend_from_slice(&history[history.len().saturating_sub(self.options.repetition_window)..]);
            self.repeated.sort_unstable();
            for same in self.repeated.chunk_by(|a, b| a == b) {
                let Some(logit) = logits.get_mut(same[0] as usize) else { continue };
                let scaled =
                    if *logit > 0.0 { *logit / repetition_penalty } else { *logit * repetition_penalty };
                set(logit, scaled - same.len() as f32 * frequency_penalty - presence_penalty);
            }
        }
    }

    fn keep_top_k(&mut self) {
        let k = self.options.top_k;
        if k > 0 && k < self.candidates.len() {
            self.candidates.select_nth_unstable_by(k - 1, better);
            self.candidates.truncate(k);
        }
    }

    /// Sorts only as far as needed: the most probable few hundred tokens nearly always reach p.
    fn keep_top_p(&mut self, best: f32) {
        let p = f64::from(self.options.top_p);
        if p >= 1.0 {
            return;
        }
        let weight = |candidate: &Candidate| exp(f64::from(candidate.logit) - f64::from(best));
        let total: f64 = self.candidates.iter().map(weight).sum();
        let mut sorted_len = 256.min(self.candidates.len());
        loop {
            if sorted_len < self.candidates.len() {
                self.candidates.select_nth_unstable_by(sorted_len - 1, better);
            }
            self.candidates[..sorted_len].sort_unstable_by(better);
            let mut sum = 0.0;
            let reached = self.candidates[..sorted_len].iter().position(|candidate| {
                sum += weight(candidate);
                sum >= p * total
            });
            match reached {
                Some(at) => return self.candidates.truncate(at + 1),
                None if sorted_len == self.candidates.len() => return,
                None => sorted_len = (sorted_len * 8).min(self.candidates.len()),
            }
        }
    }

    fn keep_min_p(&mut self, best: f32) {
        let min_p = f64::from(self.options.min_p);
        if min_p > 0.0 {
            self.candidates.retain(|candidate| exp(f64::from(candidate.logit) - f64::from(best)) >= min_p);
        }
    }

    fn draw(&mut self, best: Candidate, unit: f64) -> u32 {
        // Selection leaves candidates in an order that is not specified: by id, sums are the same everywhere.
        self.candidates.sort_unstable_by_key(|candidate| candidate.id);
        let temperature = f64::from(self.options.temperature);
        let weight =
            |candidate: &Candidate| exp((f64::from(candidate.logit) - f64::from(best.logit)) / temperature);
        let total: f64 = self.candidates.iter().map(weight).sum();
        let mut left = unit * total;
        for candidate in &self.candidates {
            left -= weight(candidate);
            if left < 0.0 {
                return candidate.id;
            }
        }
        // Rounding left a remainder: the most probable token.
        best.id
    }
}

/// The largest logit, the lowest id among equals.
pub fn greedy(logits: &[f32]) -> Option<Candidate> {
    let mut best: Option<Candidate> = None;
    for (id, &logit) in (0..).zip(logits) {
        if best.is_none_or(|best| logit > best.logit) {
            best = Some(Candidate { logit, id });
        }
    }
    best
}
