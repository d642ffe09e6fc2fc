//! Shaders as data: the parts that kernels share, what joins parts, and the dispatches and draw calls that run them. The
//! kernels' own parts are in `kernels`, the devices in `backend`.

mod choice;
mod dispatch;
#[cfg(feature = "webgl2")]
mod draw;
#[cfg(feature = "webgl2")]
mod glsl;
#[cfg(feature = "webgl2")]
pub(crate) mod glsl_parts;
mod part;
mod tuning;
mod wgsl;
pub(crate) mod wgsl_parts;

pub use choice::Choice;
pub use dispatch::{Batch, Bound, Count, Dispatch, Dispatches, Grid};
pub(crate) use dispatch::{EACH_TOKEN, ONE, WG, bindings, consts, consts_of, row_count};
#[cfg(feature = "webgl2")]
pub use draw::{DrawCall, Draws, Region, Scratch, Target, Texture, scratch_words};
#[cfg(feature = "webgl2")]
pub(crate) use draw::{MANY, int, uint};
#[cfg(feature = "webgl2")]
pub use glsl::{Const, Program};
pub use part::Part;
pub(crate) use part::part;
pub(crate) use tuning::THREADS;
pub use tuning::{Class, FEW, TILES, Tile, Tuning};
pub use wgsl::{Access, Linked, Variant};
