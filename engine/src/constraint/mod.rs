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

    /// Whether the text is complete, so that nothing may follow.
    fn is_complete(&self) -> bool {
        false
    }

    /// Whether [`Constraint::next`] gives masks. Only such a constraint may force tokens.
    fn has_masks(&self) -> bool {
        false
    }

    /// What may come next, where the text is not complete.
    ///
    /// # Errors
    /// Where it cannot be computed; the generation ends.
    fn next(&mut self) -> Result<Next<'_>, ConstraintError> {
        Ok(Next::Asked)
    }
}

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next<'a> {
    /// [`Constraint::allows`] decides about each token.
    Asked,
    /// Bit `id % 32` of word `id / 32` decides. Tokens beyond the last word may not come.
    Masked(&'a [u32]),
    /// These tokens come, one after the other. There is at least one.
    Forced(&'a [u32]),
}

/// A constraint that cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct ConstraintError {
    /// Stable code of the error catalogue.
    pub code: &'static str,
    /// What happened.
    pub detail: String,
}

/// What the logit of a token becomes that may not come: far below all others, and still a number that samplers can take.
const FORBIDDEN: f32 = -1e30;

/// The largest logit of a token that may come next, the lowest id among equals; `None` where no token may.
///
/// # Errors
/// As of [`Constraint::next`].
pub fn best_allowed(
    constraint: &mut dyn Constraint,
    logits: &mut [f32],
) -> Result<Option<u32>, ConstraintError> {
    // Few of the best are forbidden: each is found by one more pass, which costs less than to ask about all tokens.
    const PASSES_MAX: usize = 32;
    let passes = if constraint.has_masks() { 0 } else { PASSES_MAX };
    for _ in 0..passes {
        let Some(best) = best(logits) else { return Ok(None) };
        if constraint.allows(best) {
            return Ok(Some(best));
        }
        logits[best as usize] = FORBIDDEN;
    }
    mask(constraint, logits)?;
    Ok(best(logits))
}

/// Lowers the logits of all tokens that may not come next. False where no token may.
///
/// # Errors
/// As of [`Constraint::next`].
pub fn mask(constraint: &mut dyn Constraint, logits: &mut [f32]) -> Result<bool, ConstraintError> {
    Ok(match constraint.next()? {
        Next::Asked => keep(logits, |id| constraint.allows(id)),
        Next::Masked(bits) => {
            keep(logits, |id| bits.get(id as usize / 32).is_some_and(|word| word >> (id % 32) & 1 == 1))
        }
        Next::Forced(ids) => keep(logits, |id| ids.first() == Some(&id)),
    })
}

fn keep(logits: &mut [f32], may_come: impl Fn(u32) -> bool) -> bool {
    let mut any = false;
    for (id, logit) in logits.iter_mut().enumerate() {
        if *logit > FORBIDDEN && may_come(id as u32) {
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
