//! One token's queries of a head of keys. There are so few that four values of one lie in lanes, where of many tokens' queries
//! four lie side by side.

use wide::f32x4;

use crate::kernels::shared::LANES;
use crate::kernels::shared::cells::Rows;
use crate::simd::plus_times;

/// Most queries; with four, lanes of queries are full.
pub const QUERIES_MAX: usize = 3;
/// What the values of a head must be a multiple of.
pub const VALUES: usize = 4 * LANES;

/// Scores of the positions with `Q` queries, `[Q, values]`, `R` positions at a time: those of query `i` in lane `i`.
pub fn score<const Q: usize, const R: usize>(queries: &[f32x4], keys: &Rows, scores: &mut [f32x4]) {
    let n = queries.len() / Q;
    let queries: [&[f32x4]; Q] = std::array::from_fn(|i| &queries[i * n..][..n]);
    for p in (0..keys.count).step_by(R) {
        // Where positions are no multiple, the last one again.
        let rows: [&[[f32; LANES]]; R] =
            std::array::from_fn(|r| &keys.row((p + r).min(keys.count - 1)).as_chunks().0[..n]);
        let mut sums = [[f32x4::ZERO; LANES]; R];
        for at in 0..n {
            let queries = queries.map(|query| query[at]);
            for r in 0..R {
                let key = f32x4::from(rows[r][at]);
                for i in 0..Q {
                    sums[r][i] = plus_times(sums[r][i], key, queries[i]);
                }
            }
        }
        let count = R.min(keys.count - p);
        for (score, sums) in scores[p..p + count].iter_mut().zip(sums) {
            let [a, b, c, d] = f32x4::transpose(sums);
            *score = (a + b) + (c + d);
        }
    }
}

/// Adds the weighted values of the positions to `mixed`, `[Q, values]`, `R` vectors of them at a time.
pub fn mix<const Q: usize, const R: usize>(weights: &[f32x4], cells: &Rows, mixed: &mut [f32x4]) {
    let n = mixed.len() / Q;
    let weights: &[[f32; LANES]] = bytemuck::cast_slice(weights);
    for first in (0..n).step_by(R) {
        let mut sums: [[f32x4; R]; Q] =
            std::array::from_fn(|i| std::array::from_fn(|r| mixed[i * n + first + r]));
        for (p, weights) in weights.iter().enumerate().take(cells.count) {
            let row = &cells.row(p)[first * LANES..][..R * LANES];
            let values = row.as_chunks::<LANES>().0;
            for i in 0..Q {
                let weight = f32x4::splat(weights[i]);
                for r in 0..R {
                    sums[i][r] = plus_times(sums[i][r], f32x4::from(values[r]), weight);
                }
            }
        }
        for (i, sums) in sums.into_iter().enumerate() {
            mixed[i * n + first..][..R].copy_from_slice(&sums);
        }
    }
}

#[cfg(test)]
mod tests {
    use wide::f32x4;

    use super::{Rows, mix, score};

    /// `Q` queries of 48 values, on `count` positions among whose rows others lie.
    fn compare<const Q: usize, const S: usize, const M: usize>(count: usize) {
        const LEN: usize = 48;
        const STRIDE: usize = 64;
        let number = |i: usize| (i as f32 * 0.7).sin();
        let values: Vec<f32> = (0..count * STRIDE).map(number).collect();
        let queries: Vec<f32> = (0..Q * LEN).map(|i| number(i + 1000)).collect();
        let vectors = |values: &[f32]| -> Vec<f32x4> {
            values.as_chunks().0.iter().map(|lanes| f32x4::from(*lanes)).collect()
        };
        let cells = Rows { values: &values, stride: STRIDE, count };
        let mut scores = vec![f32x4::ZERO; count];
        score::<Q, S>(&vectors(&queries), &cells, &mut scores);
        let mut mixed = vectors(&vec![1.0; Q * LEN]);
        mix::<Q, M>(&scores, &cells, &mut mixed);
        let mixed: Vec<f32> = mixed.iter().flat_map(|lanes| lanes.to_array()).collect();
        for (i, query) in queries.chunks(LEN).enumerate() {
            let mut sums = [1.0; LEN];
            for (p, found) in scores.iter().enumerate() {
                let row = &values[p * STRIDE..][..LEN];
                let wanted: f32 = query.iter().zip(row).map(|(q, k)| q * k).sum();
                assert!((found.to_array()[i] - wanted).abs() < 1e-4, "{Q} queries, {count} positions");
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += wanted * value);
            }
            for (found, wanted) in mixed[i * LEN..][..LEN].iter().zip(sums) {
                assert!((found - wanted).abs() < 1e-3, "{Q} queries, {count} positions");
            }
        }
    }

    #[test]
    fn scores_and_mixtures_are_those_of_sums_value_by_value() {
        for count in [1, 5, 32] {
            compare::<1, 8, 4>(count);
            compare::<2, 4, 4>(count);
            compare::<3, 3, 2>(count);
        }
    }
}
