//! Brings what is missing of a file into the store: from an address, over a few connections, through every interruption.

pub mod answer;
pub mod meter;

#[cfg(target_arch = "wasm32")]
mod connection;
#[cfg(target_arch = "wasm32")]
mod plan;
#[cfg(target_arch = "wasm32")]
mod run;
#[cfg(target_arch = "wasm32")]
mod writer;

#[cfg(target_arch = "wasm32")]
pub use connection::set_stall_ms;
#[cfg(target_arch = "wasm32")]
pub use run::{Download, Goal, Tally};
