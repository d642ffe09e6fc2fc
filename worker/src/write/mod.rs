//! Texts in a language model's words: what the model may write, and what the page makes of each line.

mod answer;
mod desk;
mod elsewhere;
mod manuscript;
mod summary;
mod tiers;

pub use answer::{Asked, answer, in_context};
pub use elsewhere::{attribute, prepare};
pub use manuscript::Manuscript;
pub use summary::write;
pub use tiers::test;

use pith_engine::writer::WriteError;

use crate::error::WorkerError;

fn failure(error: WriteError) -> WorkerError {
    match error {
        WriteError::Chat(error) => error.into(),
        WriteError::Tokenizer(error) => error.into(),
        WriteError::Run(error) => error.into(),
        WriteError::Stopped => WorkerError::Cancelled,
    }
}
