//! Lines that a language model writes about a page: what it is asked, and whether what it wrote may stand.
//!
//! A small model writes a line from one source, which is its citation whatever the model says ([`judge`]). A capable one writes
//! from many passages, and each of its lines is compared with the page when it is written ([`Digest::attribute`]). A line may stand
//! where whoever believes its sources may believe it. It has no other number or name ([`Evidence`]). It can be read as parts of its
//! sources (`path`): a sentence without a clause, a phrase or an adjective that it can do without (`leave`), in which everybody does what
//! they do there. And it claims no more (`claims`): with the same negations, reservations, conditions and times. What function words do is
//! listed by language (`lexicon`); of other languages only parts between marks can be left out.
//!
//! [`Digest::attribute`]: crate::Digest::attribute

mod claims;
mod closeness;
mod evidence;
mod flaw;
mod gate;
mod judge;
mod leave;
mod lexicon;
mod path;
mod prompt;
mod reading;
mod support;
mod voice;

pub use closeness::Closeness;
pub use evidence::{Evidence, EvidenceReader};
pub use flaw::Flaw;
pub use gate::{GATE_LINES, GATE_LINES_MAX, GATE_QUESTIONS, GateCounts, GateQuestion, Tier, gate_context};
pub use judge::{Keep, judge};
pub use prompt::{Rewrite, rewrite_prompt, without_label};
pub use support::Attribution;
