//! Which tokens may come next, beside what the model would choose.

mod evidence;

pub use evidence::EvidenceConstraint;

use std::fmt::Debug;

use crate::sampler::greedy;

/// Decides token by token what may be written. A generation asks about the tokens that the model chooses, not about the
/// whole vocabulary: where the model keeps to the constraint, nothing is lost by it.
pub trait Constraint: Debug {
    /// Whether `id` may come next.
    fn allows(&self, id: u32) -> bool;

    /// Takes `id` as written, whether it was allowed or not.
    fn accept(&mut self, id: u32);
}

/// What the logit of a token becomes that may not come: far below all others, and still a number that samplers can take.
const FORBIDDEN: f32 = -1e30;

/// The largest logit of a token that may come next, the lowest id among equals; `None` where no token may.
pub fn best_allowed(constraint: &dyn Constraint, logits: &mut [f32]) -> Option<u32> {
    // Few of the best are forbidden: each is found by one more pass, which costs less than to ask about all tokens.
    const PASSES_MAX: usize = 32;
    for _ in 0..PASSES_MAX {
        let best = best(logits)?;
        if constraint.allows(best) {
            return Some(best);
        }
        logits[best as usize] = FORBIDDEN;
    }
    mask(constraint, logits);
    best(logits)
}

/// Lowers the logits of all tokens that may not come next. False where no token may.
pub fn mask(constraint: &dyn Constraint, logits: &mut [f32]) -> bool {
    let mut any = false;
    for (id, logit) in logits.iter_mut().enumerate() {
        if *logit > FORBIDDEN && constraint.allows(id as u32) {
            any = true;
        } else {
            *logit = FORBIDDEN;
        }
    }
    any
}

/// The token with the largest logit, unless all are forbidden.
fn best(logits: &[f32]) -> Option<u32> {
    greedy(logits).filter(|best| best.logit > FORBIDDEN).map(|best| best.id)
}
