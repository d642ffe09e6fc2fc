//! Rotary position embedding (Su et al., 2021, arXiv 2104.09864): the angle of pair `j` at position `p` is
//! `p * base^(-2j/n)`, divided by the linear scaling factor and by the pair's own factor where the file has them.

use super::arch::RopePairs;
use super::spec::Vector;

/// Rotation of heads.
#[derive(Debug, Clone)]
pub struct Rope {
    /// Which lanes rotate together; never `None` here.
    pub pairs: RopePairs,
    /// Lanes that rotate; the others pass.
    pub len: usize,
    /// `rope.freq_base`.
    pub base: f64,
    /// Linear scaling: angles are divided by it.
    pub factor: f64,
    /// Divisors per pair (`rope_freqs.weight`, Llama 3.1).
    pub divisors: Option<Vector>,
}

impl Rope {
    /// cos and sin for positions `0..context`, `[context, len / 2, 2]`. Computed in f64: sin and cos of large angles
    /// are inexact on GPUs.
    pub fn table(&self, context: usize, divisors: Option<&[f32]>) -> Vec<f32> {
        let pairs = self.len / 2;
        let theta: Vec<f64> = (0..pairs)
            .map(|j| {
                let own = divisors.and_then(|d| d.get(j)).copied().unwrap_or(1.0);
                self.base.powf(-2.0 * j as f64 / self.len as f64) / self.factor / f64::from(own)
            })
            .collect();
        let mut table = Vec::with_capacity(context * pairs * 2);
        for position in 0..context {
            for angle in &theta {
                let (sin, cos) = (position as f64 * angle).sin_cos();
                table.push(cos as f32);
                table.push(sin as f32);
            }
        }
        table
    }
}
