//! Gated delta net: state is the last taps of the convolution and one row of keys per value.

use crate::kernels::{Conv, DeltaScan, GatedNorm, Step};
use crate::models::{GatedDelta, Layer};
use crate::plan::View;
use crate::planner::PlanError;
use crate::planner::builder::{Builder, Phase};

pub fn state_lens(m: &GatedDelta) -> Vec<usize> {
    let inner_size = m.value_heads * m.value_len;
    vec![m.qkv.rows * (m.kernel - 1), inner_size * m.key_len]
}

/// Emits the steps of a gated delta net; returns its output.
///
/// # Errors
/// `TooLarge` where a row of a weight exceeds a binding.
pub fn emit(
    b: &mut Builder,
    phase: Phase,
    index: usize,
    layer: &Layer,
    m: &GatedDelta,
    x: View,
) -> Result<View, PlanError> {
    let (input, norm) = b.normed(phase, layer.attn_norm.as_ref(), x);
    let (channels, inner_size) = (m.qkv.rows, m.value_heads * m.value_len);
    let all = b.products(&[&m.qkv, &m.gate, &m.beta, &m.alpha], input, norm)?;
    b.give(input, x);
    let (gate, heads) = (all.part(channels, inner_size), channels + inner_size);
    let (beta, alpha) = (all.part(heads, m.value_heads), all.part(heads + m.value_heads, m.value_heads));
    let mut place = |v: &crate::plan::Vector| b.vector(vec![(0, v.clone())], v.len);
    let (weight, bias) = (place(&m.conv), m.conv_bias.as_ref().map(&mut place));
    let (vectors, norm_weight) = ([place(&m.dt_bias), place(&m.a)], place(&m.norm.weight));
    let (taps, state) = (b.states[index][0], b.states[index][1]);
    let qkv = b.take(channels);
    let kernel = m.kernel;
    b.steps.push(Step::Conv(Conv {
        input: all.part(0, channels),
        out: qkv,
        channels,
        kernel,
        weight,
        bias,
        gated: false,
        state: taps,
    }));
    let y = b.take(inner_size);
    b.steps.push(Step::DeltaScan(DeltaScan {
        qkv,
        beta,
        alpha,
        out: y,
        key_heads: m.key_heads,
        key_len: m.key_len,
        value_heads: m.value_heads,
        value_len: m.value_len,
        eps: m.norm.eps,
        vectors,
        state,
    }));
    b.free.push(qkv.buffer);
    let out = b.take(inner_size);
    b.steps.push(Step::GatedNorm(GatedNorm {
        input: y,
        gate,
        out,
        groups: m.value_heads,
        len: m.value_len,
        gate_first: false,
        own_weights: false,
        weight: Some(norm_weight),
        eps: m.norm.eps,
    }));
    b.free.extend([y.buffer, all.buffer]);
    Ok(out)
}
