//! Dispatches of WebGPU: which variant, which constants, which buffers, how many workgroups.

use std::ops::Range;

use super::tuning::Tuning;
use super::wgsl::{Access, Variant};
use crate::plan::{BufferId, Layout, Rows, State, WeightId};

/// Threads of a workgroup; every device allows 256, and 64 fill the lanes of all.
pub const WG: u32 = 64;

/// One dispatch, static but for the number of workgroups.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// Its shader.
    pub variant: Variant,
    /// Its uniform.
    pub params: Vec<u8>,
    /// What is bound from binding 2 on; 0 is the uniform, 1 the state.
    pub bound: Vec<Bound>,
    /// Workgroups.
    pub grid: Grid,
    /// How many tokens a slice has where it is dispatched.
    pub tokens: Range<u32>,
}

impl Dispatch {
    /// One that is dispatched always.
    pub fn new(variant: Variant, params: Vec<u8>, bound: &[Bound], grid: Grid) -> Dispatch {
        Dispatch { variant, params, bound: bound.to_vec(), grid, tokens: ALWAYS }
    }
}

/// Whatever the number of tokens.
pub(crate) const ALWAYS: Range<u32> = 0..u32::MAX;

/// A buffer that a dispatch sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Bound {
    Shard(WeightId, usize),
    Vectors,
    Buffer(BufferId),
    /// The device's own, of so many bytes at least: what a dispatch leaves for the next ones.
    Scratch(u64),
}

/// Workgroups in x (spilling into z) and y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Grid {
    pub x: Count,
    pub y: Count,
}

/// A number of workgroups that may depend on the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Count {
    Fixed(u32),
    /// tokens * times, divided, rounded up.
    Tokens {
        times: u32,
        per: u32,
    },
    /// Tiles of `per` rows, of which tokens * times stand in so many `groups`, each in tiles of its own: as many as there may be.
    Tiles {
        times: u32,
        per: u32,
        groups: u32,
    },
    /// One per output row.
    Outputs,
    /// One per sequence.
    Sequences,
}

/// How many tokens a list of steps runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Batch {
    Many,
    /// Two to [`Tuning::few_tokens`].
    Few,
    One,
}

impl Count {
    /// How many there are in a run.
    pub fn of(self, state: &State) -> u32 {
        match self {
            Count::Fixed(n) => n,
            Count::Tokens { times, per } => (state.tokens * times).div_ceil(per),
            Count::Tiles { times, per, groups } => {
                let rows = state.tokens * times;
                rows.min(rows / per + groups)
            }
            Count::Outputs => state.out_rows,
            Count::Sequences => state.sequences,
        }
    }

    /// `n` times as many; output rows and sequences have one part.
    pub fn times(self, n: u32) -> Count {
        match self {
            Count::Tokens { times, per } => Count::Tokens { times: times * n, per },
            other => other,
        }
    }
}

/// A single one.
pub const ONE: Count = Count::Fixed(1);

/// One workgroup per token.
pub const EACH_TOKEN: Count = Count::Tokens { times: 1, per: 1 };

/// As many as `rows` says.
pub fn row_count(rows: Rows) -> Count {
    match rows {
        Rows::Tokens => EACH_TOKEN,
        Rows::Outputs => Count::Outputs,
    }
}

/// The dispatches of a list of steps while they are made.
pub struct Dispatches<'a> {
    /// Where everything lies.
    pub layout: &'a Layout,
    /// How many tokens they are for.
    pub batch: Batch,
    /// Shapes of kernels.
    pub tuning: &'a Tuning,
    /// What has been made.
    pub list: Vec<Dispatch>,
}

impl Dispatches<'_> {
    /// Dispatches those from `first` on only where a slice has so many tokens.
    pub fn limit(&mut self, first: usize, tokens: &Range<u32>) {
        self.list[first..].iter_mut().for_each(|dispatch| dispatch.tokens = tokens.clone());
    }

    /// Adds one.
    pub fn push(&mut self, variant: Variant, params: Vec<u8>, bound: &[Bound], grid: Grid) {
        self.list.push(Dispatch::new(variant, params, bound, grid));
    }
}

/// Constants of a kernel with [`WG`] threads a workgroup.
pub fn consts<const N: usize>(values: [(&'static str, String); N]) -> Vec<(&'static str, String)> {
    consts_of(WG, values)
}

/// Constants of a kernel with `threads` a workgroup.
pub fn consts_of<const N: usize>(
    threads: u32,
    values: [(&'static str, String); N],
) -> Vec<(&'static str, String)> {
    let mut all = vec![("WG", format!("{threads}u"))];
    all.extend(values);
    all
}

/// Bindings 0 and 1, then `rest`.
pub fn bindings(rest: &[Access]) -> Vec<Access> {
    [&[Access::Uniform, Access::Uniform], rest].concat()
}
