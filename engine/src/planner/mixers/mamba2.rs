//! Mamba-2: state is the last taps of the convolution and one row per value.

use crate::kernels::{Conv, GatedNorm, Mamba2Scan, Step};
use crate::models::{Layer, Mamba2};
use crate::plan::{Epilogue, View};
use crate::planner::PlanError;
use crate::planner::builder::{Builder, Phase};

pub fn state_lens(m: &Mamba2) -> Vec<usize> {
    let channels = m.inner_size + 2 * m.groups * m.state;
    vec![channels * (m.kernel - 1), m.inner_size * m.state]
}

/// Emits the steps of Mamba-2; returns its output.
///
/// # Errors
/// `TooLarge` where a row of a weight exceeds a binding.
pub fn emit(
    b: &mut Builder,
    phase: Phase,
    index: usize,
    layer: &Layer,
    m: &Mamba2,
    x: View,
) -> Result<View, PlanError> {
    let (input, norm) = b.normed(phase, layer.attn_norm.as_ref(), x);
    let all = b.take(m.input.rows);
    b.linear(&[&m.input], input, norm, Epilogue::Store, all, 1.0)?;
    b.give(input, x);
    let channels = m.inner_size + 2 * m.groups * m.state;
    let (gate, dt) = (all.part(0, m.inner_size), all.part(m.inner_size + channels, m.heads));
    let xbc = b.take(channels);
    let mut place = |v: &crate::plan::Vector| b.vector(vec![(0, v.clone())], v.len);
    let (weight, bias) = (place(&m.conv), m.conv_bias.as_ref().map(&mut place));
    let vectors = [place(&m.dt_bias), place(&m.a), place(&m.d)];
    let norm_weight = m.norm.as_ref().map(|n| place(&n.weight));
    let (taps, scan) = (b.states[index][0], b.states[index][1]);
    b.steps.push(Step::Conv(Conv {
        input: all.part(m.inner_size, channels),
        out: xbc,
        channels,
        kernel: m.kernel,
        weight,
        bias,
        gated: false,
        state: taps,
    }));
    let y = b.take(m.inner_size);
    b.steps.push(Step::Mamba2Scan(Mamba2Scan {
        xbc,
        dt,
        out: y,
        heads: m.heads,
        head_len: m.inner_size / m.heads,
        groups: m.groups,
        state_len: m.state,
        vectors,
        state: scan,
    }));
    b.free.push(xbc.buffer);
    let out = b.take(m.inner_size);
    b.steps.push(Step::GatedNorm(GatedNorm {
        input: y,
        gate,
        out,
        groups: m.groups,
        len: m.inner_size / m.groups,
        gate_first: true,
        own_weights: true,
        weight: norm_weight,
        eps: m.norm.as_ref().map_or(0.0, |n| n.eps),
    }));
    b.free.extend([y.buffer, all.buffer]);
    Ok(out)
}
