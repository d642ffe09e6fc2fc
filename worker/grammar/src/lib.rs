//! Which tokens may come next, by JSON schema, regular expression or grammar.
//!
//! The worker fetches this module at the first request that asks for a format, and runs it beside its own module. Formats are
//! compiled by the crate `llguidance`. What is compiled, and each step, is limited in size.

mod calls;
mod counts;
mod fault;
mod format;
mod lookahead;
mod matcher;
mod pattern;
mod references;
mod schema;
mod vocabulary;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use fault::Fault;
pub use format::{DEPTH_MAX, Format, GRAMMAR_BYTES_MAX, PATTERN_BYTES_MAX, SCHEMA_BYTES_MAX};
pub use matcher::Matcher;
pub use vocabulary::{Tokenize, Vocabulary};
