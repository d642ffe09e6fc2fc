//! Lines that a language model writes from sentences of the page: what it is asked, and whether what it wrote may stand.
//!
//! A line is written from one source, which is its citation whatever the model says. It may stand where it says nothing that
//! the source does not say: no other number or name ([`Evidence`]), no negation or reservation more or less, and words that
//! are the source's. How close they must be depends on the model: see [`Keep`].

mod closeness;
mod evidence;
mod judge;
mod prompt;

pub use closeness::Closeness;
pub use evidence::{Evidence, EvidenceReader};
pub use judge::{Flaw, Keep, judge};
pub use prompt::shorten_prompt;
