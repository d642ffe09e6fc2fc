//! Short convolution (LFM 2): state is the last taps.

use crate::kernels::{Conv, Step};
use crate::models::{Layer, ShortConv};
use crate::plan::{Epilogue, View};
use crate::planner::PlanError;
use crate::planner::builder::{Builder, Phase};

pub fn state_lens(m: &ShortConv) -> Vec<usize> {
    vec![m.out.cols * (m.kernel - 1)]
}

/// Emits the steps of a short convolution; returns its output.
///
/// # Errors
/// `TooLarge` where a row of a weight exceeds a binding.
pub fn emit(
    b: &mut Builder,
    phase: Phase,
    index: usize,
    layer: &Layer,
    m: &ShortConv,
    x: View,
) -> Result<View, PlanError> {
    let (input, norm) = b.normed(phase, layer.attn_norm.as_ref(), x);
    let bcz = b.take(m.input.rows);
    b.linear(&[&m.input], input, norm, Epilogue::Store, bcz, 1.0)?;
    b.give(input, x);
    let channels = m.out.cols;
    let out = b.take(channels);
    let weight = b.vector(vec![(0, m.conv.clone())], m.conv.len);
    let (kernel, state) = (m.kernel, b.states[index][0]);
    b.steps.push(Step::Conv(Conv {
        input: bcz,
        out,
        channels,
        kernel,
        weight,
        bias: None,
        gated: true,
        state,
    }));
    b.free.push(bcz.buffer);
    Ok(out)
}
