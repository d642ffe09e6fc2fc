//! Log probabilities of tokens: the model's own, before penalties, temperature and constraints.

use super::{Candidate, better, exp};

/// A token that was chosen and its log probability, with the most probable tokens in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenLogprobs {
    /// The token that was chosen.
    pub id: u32,
    /// The natural logarithm of its probability.
    pub logprob: f32,
    /// The most probable tokens, best first, as many as were asked for.
    pub top: Vec<(u32, f32)>,
}

/// What a step's logits come to, taken before anything changes them.
#[derive(Debug, Clone, Default)]
pub struct Logprobs {
    logits: Vec<f32>,
    /// The logarithm of the sum of all exponentials.
    log_sum: f64,
}

impl Logprobs {
    /// Takes the logits of a step. Allocates at the first call only.
    pub fn take(&mut self, logits: &[f32]) {
        self.logits.clear();
        self.logits.extend_from_slice(logits);
        let best = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
        let sum: f64 = logits.iter().map(|&logit| exp(f64::from(logit) - best)).sum();
        self.log_sum = best + sum.ln();
    }

    /// Of the token that was chosen in this step, with the `top` most probable ones.
    pub fn of(&self, id: u32, top: usize) -> TokenLogprobs {
        let logprob = |logit: f32| (f64::from(logit) - self.log_sum) as f32;
        let mut candidates: Vec<Candidate> =
            (0..).zip(&self.logits).map(|(id, &logit)| Candidate { logit, id }).collect();
        let top = top.min(candidates.len());
        if top > 0 {
            candidates.select_nth_unstable_by(top - 1, better);
        }
        candidates.truncate(top);
        candidates.sort_unstable_by(better);
        TokenLogprobs {
            id,
            logprob: self.logits.get(id as usize).map_or(f32::NEG_INFINITY, |&logit| logprob(logit)),
            top: candidates.iter().map(|candidate| (candidate.id, logprob(candidate.logit))).collect(),
        }
    }
}
