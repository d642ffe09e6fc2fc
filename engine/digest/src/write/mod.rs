//! Lines that a language model writes about a page: what it is asked, and whether what it wrote may stand.
//!
//! A small model writes a line from one source, which is its citation whatever the model says ([`judge`]). A capable one writes
//! from many passages, and each of its lines is compared with the page when it is written ([`Digest::attribute`]). A line may stand
//! where it says nothing that its sources do not say: no other number or name ([`Evidence`]), no negation or reservation more or
//! less, and words that are the sources'. How close they must be depends on the model: see [`Keep`].
//!
//! [`Digest::attribute`]: crate::Digest::attribute

mod clauses;
mod closeness;
mod evidence;
mod gate;
mod judge;
mod prompt;
mod support;

pub use closeness::Closeness;
pub use evidence::{Evidence, EvidenceReader};
pub use gate::{GATE_LINES, GATE_QUESTIONS, GateCounts, GateQuestion, Tier, gate_context};
pub use judge::{Flaw, Keep, judge};
pub use prompt::{Rewrite, rewrite_prompt};
pub use support::{Attribution, LineVectors, SUPPORTED_MIN};
