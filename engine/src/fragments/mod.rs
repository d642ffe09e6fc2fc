//! Kernels of WebGL2: a draw makes every word of a view, four a fragment. What a step computes, and its constants, are
//! those of the compute kernels; how it reads and writes is here.

mod draws;
mod link;
mod parts;

pub use draws::{Draw, Region, Scratch, Target, Texture, draws, scratch_words};
pub use link::{Const, Program};
