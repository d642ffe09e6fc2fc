//! Dispatches of what happens to whole rows: pooling, factors, gates, zeros.

use super::link::{Access, Variant};
use super::params::{GateParams, PoolParams, ScaleParams};
use super::parts;
use super::step::{Clear, GateRows, Pool, Scale};
use super::table::{Bound, Count, Dispatch, EACH_TOKEN, Grid, WG, bindings, consts, vector_offset};
use crate::plan::{Layout, Pooling};

/// Every variant that a model can ask for.
pub fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    all.extend([Pooling::Mean, Pooling::First, Pooling::Last].map(pool_variant));
    all.extend([scale_variant(), clear_variant(), gate_variant()]);
    all
}

fn pool_variant(how: Pooling) -> Variant {
    let how = match how {
        Pooling::Mean => "0u",
        Pooling::First => "1u",
        Pooling::Last => "2u",
    };
    Variant {
        kernel: "pool_rows",
        consts: consts([("HOW", how.to_owned())]),
        parts: vec![parts::COMMON, parts::TOKENS, parts::POOL_ROWS],
        bindings: bindings(&[Access::Read, Access::Write, Access::Read]),
    }
}

pub fn pool(layout: &Layout, s: &Pool) -> Dispatch {
    let params = PoolParams {
        in_offset: s.input.offset as u32,
        in_stride: s.input.stride as u32,
        out_offset: s.out.offset as u32,
        out_stride: s.out.stride as u32,
        cols: s.out.cols as u32,
        pad: [0; 3],
    };
    Dispatch {
        variant: pool_variant(s.how),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![Bound::Buffer(s.input.buffer), Bound::Buffer(s.out.buffer), Bound::Buffer(layout.tokens)],
        grid: Grid { x: Count::Fixed(params.cols.div_ceil(WG)), y: Count::Outputs },
    }
}

fn scale_variant() -> Variant {
    Variant {
        kernel: "scale_rows",
        consts: consts([]),
        parts: vec![parts::COMMON, parts::SCALE_ROWS],
        bindings: bindings(&[Access::Read, Access::Write]),
    }
}

pub fn scale(layout: &Layout, s: &Scale) -> Dispatch {
    let (offset, stride, cols) = (s.x.offset as u32, s.x.stride as u32, s.x.cols as u32);
    let params = ScaleParams { offset, stride, cols, by: vector_offset(layout, s.by) };
    Dispatch {
        variant: scale_variant(),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![Bound::Vectors, Bound::Buffer(s.x.buffer)],
        grid: Grid { x: Count::Fixed(cols.div_ceil(WG)), y: EACH_TOKEN },
    }
}

fn clear_variant() -> Variant {
    Variant {
        kernel: "clear_rows",
        consts: consts([]),
        parts: vec![parts::COMMON, parts::CLEAR_ROWS],
        bindings: bindings(&[Access::Write]),
    }
}

pub fn clear(s: &Clear) -> Dispatch {
    let (offset, stride, cols) = (s.x.offset as u32, s.x.stride as u32, s.x.cols as u32);
    Dispatch {
        variant: clear_variant(),
        params: bytemuck::bytes_of(&ScaleParams { offset, stride, cols, by: 0 }).to_vec(),
        bound: vec![Bound::Buffer(s.x.buffer)],
        grid: Grid { x: Count::Fixed(cols.div_ceil(WG)), y: EACH_TOKEN },
    }
}

fn gate_variant() -> Variant {
    Variant {
        kernel: "gate_rows",
        consts: consts([]),
        parts: vec![parts::COMMON, parts::GATE_ROWS],
        bindings: bindings(&[Access::Read, Access::Write]),
    }
}

pub fn gate(s: &GateRows) -> Dispatch {
    let params = GateParams {
        offset: s.x.offset as u32,
        stride: s.x.stride as u32,
        cols: s.x.cols as u32,
        by_offset: s.by.offset as u32,
        by_stride: s.by.stride as u32,
        pad: [0; 3],
    };
    Dispatch {
        variant: gate_variant(),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![Bound::Buffer(s.by.buffer), Bound::Buffer(s.x.buffer)],
        grid: Grid { x: Count::Fixed(params.cols.div_ceil(WG)), y: EACH_TOKEN },
    }
}
