use thiserror::Error;

use crate::backend::DeviceError;
use crate::constraint::ConstraintError;
use crate::models::ModelError;
use crate::planner::PlanError;
use crate::sampler::SamplerError;

/// What can go wrong while a model is loaded or runs.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is not a model that the engine knows.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model does not fit the device.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// No token could be sampled.
    #[error(transparent)]
    Sampler(#[from] SamplerError),
    /// The constraint cannot go on.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// The sequence has no room for more tokens.
    #[error("the context of {context_tokens} tokens is full")]
    ContextFull {
        /// Its size.
        context_tokens: usize,
    },
    /// No page of the KV cache is free.
    #[error("no room in the KV cache: {pages} pages are in use")]
    CacheFull {
        /// How many there are.
        pages: usize,
    },
    /// An id that the vocabulary does not have.
    #[error("token {id} is outside the vocabulary of {vocab}")]
    UnknownToken {
        /// The id.
        id: u32,
        /// Size of the vocabulary.
        vocab: usize,
    },
    /// Something was asked of a model that it cannot do, such as text of an embedding model.
    #[error("this model cannot {what}")]
    NotThisModel {
        /// What was asked.
        what: &'static str,
    },
    /// A slice that is empty or longer than the plan allows.
    #[error("a slice of {tokens} tokens; 1 to {max} are allowed")]
    BadSlice {
        /// Its length.
        tokens: usize,
        /// The most.
        max: usize,
    },
    /// The last run did not choose a token for each of these sequences.
    #[error("no pending token for these sequences; call `feed` first")]
    NothingChosen,
    /// An adapter that was not attached to this model.
    #[error("this model has no such LoRA adapter")]
    UnknownLora,
    /// A transfer of the wrong length, or one more than the model has.
    #[error("a transfer of {len_bytes} bytes where {want_bytes} were wanted")]
    WrongTransfer {
        /// What came.
        len_bytes: usize,
        /// What was wanted; 0 after the last one.
        want_bytes: usize,
    },
}

impl Error {
    /// Stable code of the error catalogue.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Model(e) => e.code(),
            Error::Plan(e) => e.code(),
            Error::Device(e) => e.code(),
            Error::Sampler(e) => e.code(),
            Error::Constraint(e) => e.code,
            Error::ContextFull { .. } => "context_full",
            Error::CacheFull { .. } => "cache_full",
            Error::UnknownToken { .. } => "unknown_token",
            Error::NotThisModel { .. } => "not_this_model",
            Error::BadSlice { .. } => "bad_slice",
            Error::UnknownLora => "unknown_lora",
            Error::NothingChosen => "nothing_chosen",
            Error::WrongTransfer { .. } => "wrong_transfer",
        }
    }
}
