//! The template language of chat templates: Jinja as Hugging Face configures it, with Python's semantics.
//!
//! Own code for three reasons. Every string remembers which of its characters the template wrote and which a message,
//! through every operation (`text`): nothing else can keep a page from forging control tokens without changing what
//! the template says. Python's behaviour, down to how floats and quotes are printed, is what models were trained on.
//! And it is a fraction of a general engine's size in wasm. Work, nesting and sizes are bounded: templates come from
//! files of unknown origin.

mod access;
mod arguments;
mod arithmetic;
mod ast;
mod error;
mod evaluate;
mod filters;
mod filters_sequence;
mod format;
mod fuel;
mod functions;
mod interpreter;
mod json;
mod lexer;
mod methods;
mod parser;
mod parser_expression;
mod scope;
mod sorting;
mod strftime;
mod strings;
mod tests;
mod text;
mod value;
mod value_order;
mod value_text;

pub(crate) use ast::Statement;
pub(crate) use error::Fault;
pub(crate) use fuel::Fuel;
pub(crate) use interpreter::Interpreter;
pub(crate) use parser::parse;
pub use strftime::Moment;
pub(crate) use text::Text;
pub(crate) use value::{Dict, Named, Value, Values};
