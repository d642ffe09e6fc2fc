//! A resident model and the sequences that run on it: loading piece by piece, prompts continued in bounded pieces of
//! work, pages of the KV cache shared by what begins alike.

mod check;
mod error;
mod generation;
mod generation_options;
mod likeness;
mod load;
mod lockstep;
mod model;
mod overflow;
mod pacing;
mod pages;
mod probe;
mod prompt_lookup;
#[cfg(feature = "webgpu")]
mod tune;
mod upload;

pub use check::{Passed, WrongKernel};
pub use error::Error;
pub use generation::{Generation, Turn};
pub use generation_options::{GenerationCounts, GenerationEvent, GenerationOptions};
pub use load::{Attaching, Estimate, LoadOptions, Loading, estimate};
pub use lockstep::{Comparison, Lockstep};
pub use model::{Choice, LoraId, LoraUse, Model, ModelInfo, Sequence};
pub use overflow::Overflow;
pub use probe::Probe;
pub use prompt_lookup::{PromptLookup, PromptLookupStats};
#[cfg(feature = "webgpu")]
pub use tune::{Tried, TriedShape, TriedTime, Tuner};
