//! What several kernels share: the constants of products, attention and experts, and the helpers of their CPU twins.

mod allocated;
mod attention;
pub(crate) mod cells;
mod choices;
mod cpu;
mod encode;
mod experts;
mod inputs;
mod kernel;
pub(crate) mod math;
mod matmul;
mod norms;
mod products;
mod shards;
mod states;
mod tiles;

pub use allocated::vec_bytes;
pub(crate) use attention::*;
pub(crate) use choices::*;
pub(crate) use cpu::Attention;
pub use cpu::{Cpu, Scratch, working_bytes};
pub(crate) use encode::*;
pub(crate) use experts::*;
pub(crate) use inputs::*;
pub(crate) use kernel::*;
pub(crate) use matmul::*;
pub(crate) use norms::*;
pub(crate) use products::*;
pub use shards::{COMMAND_WORDS, CommandError, RemoteShards, ShardCommand, ShardStore};
pub(crate) use states::*;
pub(crate) use tiles::*;
