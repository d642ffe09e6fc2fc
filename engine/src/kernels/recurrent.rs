//! Dispatches of the mixers that keep a state.

use super::link::{Access, Variant};
use super::params::{ConvParams, DeltaParams, GatedNormParams, Mamba2Params};
use super::parts::{self, Part};
use super::step::{Conv, DeltaScan, GatedNorm, Mamba2Scan};
use super::table::{Bound, Count, Dispatch, EACH_TOKEN, Grid, ONE, WG, bindings, consts, vector_offset};
use crate::plan::Layout;

/// Every variant that a model can ask for.
pub fn variants() -> Vec<Variant> {
    let mut all = vec![mamba2_variant(), delta_variant()];
    let gated = [(false, true), (true, true), (true, false)];
    all.extend(gated.map(|(gate_first, normed)| gated_norm_variant(gate_first, normed)));
    for kernel in 2..=8 {
        all.extend([(true, false), (false, false), (false, true)].map(|(g, b)| conv_variant(kernel, g, b)));
    }
    all
}

/// A kernel that reads all its bindings but the last `written`.
fn variant(kernel: Part, stem: &'static str, read: usize, written: usize) -> Variant {
    let access = [vec![Access::Read; read], vec![Access::Write; written]].concat();
    Variant {
        kernel: stem,
        consts: consts([]),
        parts: vec![parts::COMMON, kernel],
        bindings: bindings(&access),
    }
}

fn conv_variant(kernel: usize, gated: bool, bias: bool) -> Variant {
    let consts = consts([
        ("KERNEL", format!("{kernel}u")),
        ("GATED", gated.to_string()),
        ("HAS_BIAS", bias.to_string()),
    ]);
    Variant { consts, ..variant(parts::CONV, "conv", 2, 2) }
}

pub fn conv(layout: &Layout, s: &Conv) -> Dispatch {
    let params = ConvParams {
        in_offset: s.input.offset as u32,
        in_stride: s.input.stride as u32,
        out_offset: s.out.offset as u32,
        out_stride: s.out.stride as u32,
        channels: s.channels as u32,
        weight: vector_offset(layout, s.weight),
        bias: s.bias.map_or(0, |b| vector_offset(layout, b)),
        pad: 0,
    };
    Dispatch {
        variant: conv_variant(s.kernel, s.gated, s.bias.is_some()),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![
            Bound::Vectors,
            Bound::Buffer(s.input.buffer),
            Bound::Buffer(s.out.buffer),
            Bound::Buffer(s.state),
        ],
        grid: Grid { x: Count::Fixed(params.channels.div_ceil(WG)), y: ONE },
    }
}

fn mamba2_variant() -> Variant {
    variant(parts::MAMBA2_SCAN, "mamba2_scan", 3, 2)
}

pub fn mamba2_scan(layout: &Layout, s: &Mamba2Scan) -> Dispatch {
    let [bias, a, d] = s.vectors.map(|v| vector_offset(layout, v));
    let params = Mamba2Params {
        xbc_offset: s.xbc.offset as u32,
        xbc_stride: s.xbc.stride as u32,
        dt_offset: s.dt.offset as u32,
        dt_stride: s.dt.stride as u32,
        out_offset: s.out.offset as u32,
        out_stride: s.out.stride as u32,
        heads: s.heads as u32,
        head_len: s.head_len as u32,
        groups: s.groups as u32,
        state_len: s.state_len as u32,
        bias,
        a,
        d,
        pad: [0; 3],
    };
    Dispatch {
        variant: mamba2_variant(),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![
            Bound::Vectors,
            Bound::Buffer(s.xbc.buffer),
            Bound::Buffer(s.dt.buffer),
            Bound::Buffer(s.out.buffer),
            Bound::Buffer(s.state),
        ],
        grid: Grid { x: Count::Fixed((params.heads * params.head_len).div_ceil(WG)), y: ONE },
    }
}

fn delta_variant() -> Variant {
    variant(parts::DELTA_SCAN, "delta_scan", 4, 2)
}

pub fn delta_scan(layout: &Layout, s: &DeltaScan) -> Dispatch {
    let [bias, a] = s.vectors.map(|v| vector_offset(layout, v));
    let params = DeltaParams {
        qkv_offset: s.qkv.offset as u32,
        qkv_stride: s.qkv.stride as u32,
        beta_offset: s.beta.offset as u32,
        beta_stride: s.beta.stride as u32,
        alpha_offset: s.alpha.offset as u32,
        alpha_stride: s.alpha.stride as u32,
        out_offset: s.out.offset as u32,
        out_stride: s.out.stride as u32,
        key_heads: s.key_heads as u32,
        key_len: s.key_len as u32,
        value_heads: s.value_heads as u32,
        value_len: s.value_len as u32,
        bias,
        a,
        eps: s.eps,
        pad: 0,
    };
    Dispatch {
        variant: delta_variant(),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![
            Bound::Vectors,
            Bound::Buffer(s.qkv.buffer),
            Bound::Buffer(s.beta.buffer),
            Bound::Buffer(s.alpha.buffer),
            Bound::Buffer(s.out.buffer),
            Bound::Buffer(s.state),
        ],
        grid: Grid { x: Count::Fixed((params.value_heads * params.value_len).div_ceil(WG)), y: ONE },
    }
}

fn gated_norm_variant(gate_first: bool, normed: bool) -> Variant {
    Variant {
        consts: consts([("GATE_FIRST", gate_first.to_string()), ("NORMED", normed.to_string())]),
        parts: vec![parts::COMMON, parts::STATISTICS, parts::GATED_NORM],
        ..variant(parts::GATED_NORM, "gated_norm", 3, 1)
    }
}

pub fn gated_norm(layout: &Layout, s: &GatedNorm) -> Dispatch {
    let params = GatedNormParams {
        in_offset: s.input.offset as u32,
        in_stride: s.input.stride as u32,
        gate_offset: s.gate.offset as u32,
        gate_stride: s.gate.stride as u32,
        out_offset: s.out.offset as u32,
        out_stride: s.out.stride as u32,
        cols: s.len as u32,
        weight: s.weight.map_or(0, |w| vector_offset(layout, w)),
        own_weights: u32::from(s.own_weights),
        eps: s.eps,
        pad: [0; 2],
    };
    Dispatch {
        variant: gated_norm_variant(s.gate_first, s.weight.is_some()),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![
            Bound::Vectors,
            Bound::Buffer(s.input.buffer),
            Bound::Buffer(s.gate.buffer),
            Bound::Buffer(s.out.buffer),
        ],
        grid: Grid { x: Count::Fixed(s.groups as u32), y: EACH_TOKEN },
    }
}
