//! Steps -> dispatches: which variant, which constants, which buffers, how many workgroups.

use super::link::{Access, Variant};
use super::step::Step;
use super::tuning::Tuning;
use super::{attend, attention, choices, experts, products, recurrent, rows};
use crate::plan::{BufferId, Layout, VectorId, WeightId};

/// Threads of a workgroup; every device allows 256, and 64 fill the lanes of all.
pub const WG: u32 = 64;

/// One dispatch, static but for the number of workgroups.
#[derive(Debug, Clone)]
pub struct Dispatch {
    /// Its shader.
    pub variant: Variant,
    /// Its uniform.
    pub params: Vec<u8>,
    /// What is bound from binding 2 on; 0 is the uniform, 1 the state.
    pub bound: Vec<Bound>,
    /// Workgroups.
    pub grid: Grid,
}

/// A buffer that a dispatch sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Bound {
    Shard(WeightId, usize),
    Vectors,
    Buffer(BufferId),
}

/// Workgroups in x (spilling into z) and y.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct Grid {
    pub x: Count,
    pub y: Count,
}

/// A number of workgroups that may depend on the run.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum Count {
    Fixed(u32),
    /// tokens * times, divided, rounded up.
    Tokens {
        times: u32,
        per: u32,
    },
    /// One per output row.
    Outputs,
}

/// Whether a list of steps runs on many tokens or on few rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Phase {
    Many,
    /// Two to [`FEW`].
    Few,
    One,
}

/// Most tokens, or rows, of [`Phase::Few`].
pub const FEW: u32 = 8;

impl Count {
    /// `n` times as many; output rows have one part.
    pub fn times(self, n: u32) -> Count {
        match self {
            Count::Tokens { times, per } => Count::Tokens { times: times * n, per },
            other => other,
        }
    }
}

pub const ONE: Count = Count::Fixed(1);

/// One workgroup per token.
pub const EACH_TOKEN: Count = Count::Tokens { times: 1, per: 1 };

/// The dispatches of a list of steps.
pub fn dispatches(layout: &Layout, steps: &[Step], phase: Phase, tuning: &Tuning) -> Vec<Dispatch> {
    let mut out = Vec::new();
    for step in steps {
        match step {
            Step::Embed(s) => products::embed(layout, s, &mut out),
            Step::Norm(s) => out.push(products::norm(layout, s)),
            Step::Linear(s) => products::linear(layout, s, phase, tuning, &mut out),
            Step::RopeStore(s) => out.push(attention::rope_store(layout, s)),
            Step::Attend(s) => attend::attend(layout, s, phase, tuning.is_emulated(), &mut out),
            Step::Conv(s) => out.push(recurrent::conv(layout, s)),
            Step::Mamba2(s) => out.push(recurrent::mamba2_scan(layout, s)),
            Step::Delta(s) => out.push(recurrent::delta_scan(layout, s)),
            Step::GatedNorm(s) => out.push(recurrent::gated_norm(layout, s)),
            Step::Route(s) => out.push(experts::route(layout, s)),
            Step::ExpertsUp(s) => experts::up(layout, s, &mut out),
            Step::ExpertsDown(s) => experts::down(layout, s, &mut out),
            Step::Scale(s) => out.push(rows::scale(layout, s)),
            Step::Clear(s) => out.push(rows::clear(s)),
            Step::Gate(s) => out.push(rows::gate(s)),
            Step::Pool(s) => out.push(rows::pool(layout, s)),
            Step::ChunkTops(s) => out.push(choices::chunk_tops(s)),
            Step::Top(s) => out.push(choices::top(s)),
            Step::Shortlist(s) => out.push(choices::shortlist(s)),
            Step::Draw(s) => out.push(choices::draw(s)),
        }
    }
    out
}

/// Every variant that any model of these formats can ask for, once.
pub fn variants() -> Vec<Variant> {
    let mut all = products::variants();
    all.extend(attention::variants());
    all.extend(attend::variants());
    all.extend(rows::variants());
    all.extend(choices::variants());
    all.extend(recurrent::variants());
    all.extend(experts::variants());
    all
}

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

/// First value of a vector in the vectors buffer.
pub fn vector_offset(layout: &Layout, id: VectorId) -> u32 {
    layout.vectors[id.0].offset as u32
}
