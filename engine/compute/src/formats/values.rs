//! Formats without codes: values as they are.

use wide::f32x4;

use super::planes::UNIT;
use crate::simd::plus_times;

/// What the CPU does with rows of values.
#[derive(Debug, Clone, Copy)]
pub struct Values {
    /// Makes f32 of a row, padded to whole units.
    pub unpack: fn(row: &[u8], out: &mut [f32]),
    /// The product of a row with a vector, both padded to whole units. Nothing is stored in between.
    pub dot: fn(row: &[u8], x: &[f32]) -> f32,
}

/// The product of a row with a vector. `floats` makes f32 of a unit.
#[inline(always)]
pub fn dot<const BYTES: usize>(
    row: &[u8],
    x: &[f32],
    mut floats: impl FnMut(&[u8; BYTES]) -> [f32x4; UNIT / 4],
) -> f32 {
    let mut sums = [f32x4::ZERO; UNIT / 4];
    for (values, x) in row.as_chunks::<BYTES>().0.iter().zip(x.as_chunks::<UNIT>().0) {
        let (values, x) = (floats(values), x.as_chunks::<4>().0);
        for i in 0..UNIT / 4 {
            sums[i] = plus_times(sums[i], values[i], f32x4::from(x[i]));
        }
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).reduce_add()
}

#[cfg(test)]
mod tests {
    use crate::formats::{FORMATS, Rows};

    #[test]
    fn products_are_those_of_what_is_unpacked() {
        let x: Vec<f32> = (0..64).map(|i| (i as f32 - 20.5) / 7.0).collect();
        for format in FORMATS {
            let Rows::Values(values) = &format.rows else { continue };
            for seed in 0..200u32 {
                // Any bits, of which some are no numbers; and small ones.
                let mut row: Vec<u8> = (0..64 * format.block_bytes as u32)
                    .map(|i| ((i * 37 + seed).wrapping_mul(2_654_435_761) >> 13) as u8)
                    .collect();
                if seed % 2 == 0 {
                    row.iter_mut().skip(1).step_by(2).for_each(|high| *high &= 0xbf);
                }
                let mut unpacked = vec![0.0; 64];
                (values.unpack)(&row, &mut unpacked);
                let want: f64 = unpacked.iter().zip(&x).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                let size: f64 = unpacked.iter().zip(&x).map(|(a, b)| f64::from(*a * *b).abs()).sum();
                let got = f64::from((values.dot)(&row, &x));
                let same =
                    (got - want).abs() <= 1e-5 * size || !got.is_finite() && !(want as f32).is_finite();
                assert!(same, "{}, {seed}: {got} {want}", format.name);
            }
        }
    }
}
