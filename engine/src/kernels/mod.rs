//! WGSL parts, the linker that joins them, and the table that turns a plan's steps into dispatches. Pure data: the
//! device is `backend/webgpu`.
//!
//! A variant is an ordered list of real .wgsl files behind a generated header of constants: access (bindings), a weight
//! format, a norm prologue, an activation, a finish, and the kernel with its entry point `main`. No preprocessor.

mod attend;
mod attention;
mod choices;
mod experts;
mod link;
mod params;
mod parts;
mod products;
mod recurrent;
mod rows;
mod step;
mod table;
mod tuning;

pub use link::{Access, Linked, Variant};
pub(crate) use params::ProductParams;
pub use parts::Part;
pub use step::*;
pub use table::{Bound, Count, Dispatch, FEW, Grid, Phase, dispatches, variants};
pub use tuning::{Class, TILES, Tile, Tuning};
