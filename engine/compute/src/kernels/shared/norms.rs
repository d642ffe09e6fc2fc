//! Norms of rows, which some products compute on their way.

use crate::plan::{Layout, NormKind, NormUse};

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
