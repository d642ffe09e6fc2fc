//! What a model writes, taken apart: reasoning, content and tool calls.
//!
//! [`OutputFormat`] says how a model writes them. It is derived from the chat template by rendering conversations that
//! differ in one thing (`derive`); what cannot be derived is a table (`families`). [`OutputParser`] reads a model's text
//! piece by piece.

mod constraint;
mod derive;
mod families;
mod format;
mod literal;
mod marks;
mod mend;
mod object;
mod parser;
mod shapes;
mod tagged;
mod tracker;

pub use constraint::CallRules;
pub(crate) use derive::{Turn, derive};
pub use format::{OutputFormat, Tool};
pub use parser::{OutputEvent, OutputParser};
