//! The dedicated Web Worker: protocol, storage, model residency.
//!
//! Invariants: weights pass through one transfer buffer and never stay in the wasm heap. Every request ends with
//! exactly one `done` or `failed`. A `cancel` is honoured between two slices of work. Nothing is sent anywhere; the
//! only traffic is the download of a model that was asked for.

pub mod checked;
#[cfg(target_arch = "wasm32")]
mod checkup;
pub mod download;
pub mod error;
pub mod hash;
pub mod kept_prompts;
pub mod notify;
pub mod pages;
pub mod protocol;
mod seal;
pub mod split;
pub mod stop;
pub mod store;
#[cfg(not(target_arch = "wasm32"))]
pub mod typescript;

#[cfg(target_arch = "wasm32")]
mod ask;
#[cfg(target_arch = "wasm32")]
mod backend;
#[cfg(target_arch = "wasm32")]
mod blocks;
#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod device_loss;
#[cfg(target_arch = "wasm32")]
mod embed;
#[cfg(target_arch = "wasm32")]
mod encode;
#[cfg(target_arch = "wasm32")]
mod evaluate;
#[cfg(target_arch = "wasm32")]
mod fit;
#[cfg(target_arch = "wasm32")]
mod generate;
#[cfg(target_arch = "wasm32")]
mod grammar;
#[cfg(target_arch = "wasm32")]
mod incoming;
#[cfg(target_arch = "wasm32")]
mod job;
#[cfg(target_arch = "wasm32")]
mod keep;
#[cfg(target_arch = "wasm32")]
mod load;
#[cfg(target_arch = "wasm32")]
mod lora;
#[cfg(target_arch = "wasm32")]
mod open_files;
#[cfg(target_arch = "wasm32")]
mod origin;
#[cfg(target_arch = "wasm32")]
mod prompt;
#[cfg(target_arch = "wasm32")]
mod recovery;
#[cfg(target_arch = "wasm32")]
mod requests;
#[cfg(target_arch = "wasm32")]
mod residency;
#[cfg(target_arch = "wasm32")]
mod revive;
#[cfg(target_arch = "wasm32")]
mod router;
#[cfg(target_arch = "wasm32")]
mod source;
#[cfg(target_arch = "wasm32")]
mod speaker;
#[cfg(target_arch = "wasm32")]
mod start;
#[cfg(target_arch = "wasm32")]
mod summarize;
#[cfg(target_arch = "wasm32")]
mod template;
#[cfg(any(target_arch = "wasm32", test))]
mod threads;
#[cfg(target_arch = "wasm32")]
mod ticket;
#[cfg(any(target_arch = "wasm32", test))]
mod tools;
#[cfg(target_arch = "wasm32")]
mod transfer_buffer;
#[cfg(target_arch = "wasm32")]
mod tune;
#[cfg(target_arch = "wasm32")]
mod verdicts;
#[cfg(target_arch = "wasm32")]
mod verify;
#[cfg(target_arch = "wasm32")]
mod wish;
#[cfg(target_arch = "wasm32")]
mod write;
