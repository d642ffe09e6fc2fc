//! Norms over rows.

use super::Shared;
use crate::kernels::NormRows;
use crate::plan::{Layout, NormKind, NormUse, Rows};

/// out[t] (+)= scale * norm(input[t]).
pub fn norm_rows(s: &mut Shared, step: &NormRows) {
    let (count, first) = match step.rows {
        Rows::Tokens => (s.state.tokens as usize, 0),
        Rows::Outputs => (s.state.out_rows as usize, s.state.out_first as usize),
    };
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let input = &s.buffers[step.input.buffer.0];
    let row_scratch = &mut s.scratch.rows;
    row_scratch.resize(step.input.cols, 0.0);
    for (t, part) in (0..count).flat_map(|t| (0..step.parts).map(move |part| (t, part))) {
        let shift = part * step.input.cols;
        let row = &input[step.input.offset + (first + t) * step.input.stride + shift..][..step.input.cols];
        let out = &mut out[step.out.offset + t * step.out.stride + shift..][..step.out.cols];
        normalise(row, row_scratch, &step.norm, 0, s.layout, s.vectors);
        for (out, v) in out.iter_mut().zip(row_scratch.iter()) {
            *out = if step.add { *out + step.scale * v } else { step.scale * v };
        }
    }
    s.buffers[step.out.buffer.0] = out;
}

/// out = (x - mean) / sqrt(variance + eps) * weight + bias; without the mean for an RMS norm. Sums in f64. Factors and
/// summands from `first` on.
pub fn normalise(x: &[f32], out: &mut [f32], norm: &NormUse, first: usize, layout: &Layout, vectors: &[f32]) {
    let n = x.len() as f64;
    let mean = match norm.kind {
        NormKind::Rms => 0.0,
        NormKind::Layer => x.iter().map(|&v| f64::from(v)).sum::<f64>() / n,
    };
    let variance = x.iter().map(|&v| (f64::from(v) - mean).powi(2)).sum::<f64>() / n;
    let inverse = 1.0 / (variance + f64::from(norm.eps)).sqrt();
    let weight = &vectors[layout.vectors[norm.weight.0].offset + first..];
    let bias = norm.bias.map(|b| &vectors[layout.vectors[b.0].offset + first..]);
    for (i, (out, &v)) in out.iter_mut().zip(x).enumerate() {
        *out = ((f64::from(v) - mean) * inverse) as f32 * weight[i] + bias.map_or(0.0, |b| b[i]);
    }
}
