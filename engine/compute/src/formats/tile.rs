//! Rows of codes, unpacked once, times any number of vectors. Sums are made in the order of `codes::dots`, so a product does
//! not depend on how many vectors there are.

use wide::f32x4;

use super::codes::{Products, Quantised, exactly};
use super::integers::Parts;
use super::planes::{Planes, UNIT};
use crate::simd::{Bytes, plus_times};

/// Rows that are multiplied at a time.
const ROWS: usize = 2;

/// Rows in codes.
#[derive(Debug, Default)]
pub struct Tile {
    codes: Vec<Bytes>,
    /// Of each group, padded to whole vectors of lanes.
    scales: Vec<f32>,
    mins: Vec<f32>,
}

impl Tile {
    /// What `rows` rows of `cols` values come to.
    pub fn bytes_of(rows: usize, cols: usize, products: &Products) -> usize {
        rows * (cols + 2 * size_of::<f32>() * (cols / products.group).next_multiple_of(4))
    }

    /// What is allocated.
    pub fn bytes(&self) -> u64 {
        let floats = self.scales.capacity() + self.mins.capacity();
        (self.codes.capacity() * size_of::<Bytes>() + floats * size_of::<f32>()) as u64
    }

    /// out[t * n + i] = row `first + i` times vector `t`, for `n` rows; `T` vectors at a time.
    pub fn multiply<P: Parts, const T: usize>(
        &mut self,
        products: &Products,
        planes: &Planes,
        (first, n): (usize, usize),
        x: &[Quantised<P>],
        out: &mut [f32],
    ) {
        let Some(units) = x.first().map(|x| x.values.len()) else { return };
        self.unpack(products, planes, (first, n), units);
        match (products.signed, products.group / UNIT) {
            (false, 1) => self.times::<P, T, false, 1>(products, n, x, out),
            (false, _) => self.times::<P, T, false, 2>(products, n, x, out),
            (true, 1) => self.times::<P, T, true, 1>(products, n, x, out),
            (true, _) => self.times::<P, T, true, 2>(products, n, x, out),
        }
    }

    fn unpack(&mut self, products: &Products, planes: &Planes, (first, n): (usize, usize), units: usize) {
        let groups = units * UNIT / products.group;
        let stride = groups.next_multiple_of(4);
        exactly(&mut self.codes, n * units, Bytes::ZERO);
        for part in [&mut self.scales, &mut self.mins] {
            part.clear();
            exactly(part, n * stride, 0.0);
        }
        for i in 0..n {
            (products.unpack)(
                &planes.row(first + i),
                0,
                &mut self.codes[i * units..][..units],
                &mut self.scales[i * stride..][..groups],
                &mut self.mins[i * stride..][..groups],
            );
        }
    }

    /// Groups have `U` units.
    fn times<P: Parts, const T: usize, const SIGNED: bool, const U: usize>(
        &self,
        products: &Products,
        n: usize,
        x: &[Quantised<P>],
        out: &mut [f32],
    ) {
        let stride = self.scales.len() / n;
        let groups = self.codes.len() / n / U;
        for t in (0..x.len()).step_by(T) {
            // Where they are odd in number, the last one twice.
            let at: [_; T] = std::array::from_fn(|i| (t + i).min(x.len() - 1));
            let x = at.map(|at| &x[at]);
            let values = x.map(|x| &x.values.as_chunks::<U>().0[..groups]);
            let x_scales = x.map(|x| &x.scales[..groups]);
            for row in (0..n).step_by(ROWS) {
                let rows: [_; ROWS] = std::array::from_fn(|i| (row + i).min(n - 1));
                let codes = rows.map(|row| &self.codes.as_chunks::<U>().0[row * groups..][..groups]);
                let scales = rows.map(|row| &self.scales[row * stride..][..groups]);
                let mut sums = [[f32x4::ZERO; T]; ROWS];
                for group in 0..groups {
                    for r in 0..ROWS {
                        for t in 0..T {
                            let sum = P::dot(&codes[r][group], &values[t][group], SIGNED).round_float();
                            let scale = f32x4::splat(scales[r][group]) * x_scales[t][group];
                            sums[r][t] = plus_times(sums[r][t], sum, scale);
                        }
                    }
                }
                for r in 0..ROWS {
                    for t in 0..T {
                        let less = if products.has_mins { self.less(rows[r] * stride, x[t]) } else { 0.0 };
                        out[at[t] * n + rows[r]] = sums[r][t].reduce_add() - less;
                    }
                }
            }
        }
    }

    /// What is to be taken from a product of the row whose scales begin at `first`.
    fn less<P>(&self, first: usize, x: &Quantised<P>) -> f32 {
        let mut less = f32x4::ZERO;
        let mins = self.mins[first..].as_chunks::<4>().0;
        for (sums, mins) in x.sums.as_chunks::<4>().0.iter().zip(mins) {
            less += f32x4::from(*mins) * f32x4::from(*sums);
        }
        less.reduce_add()
    }
}

#[cfg(test)]
mod tests {
    use super::{Quantised, Tile};
    use crate::formats::{FORMATS, Planes, Scales, Small};

    const COLS: usize = 512;
    const ROWS: usize = 5;

    /// Bytes without a pattern, so some scales are no numbers.
    fn noise(len: usize, seed: u32) -> Vec<u8> {
        let mut state = seed.wrapping_mul(2_654_435_761) | 1;
        let mut byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        std::iter::repeat_with(&mut byte).take(len).collect()
    }

    #[test]
    fn products_do_not_depend_on_the_number_of_vectors() {
        let mut compared = 0;
        for format in FORMATS {
            let Some(products) = format.products() else { continue };
            let stored = noise(ROWS * format.row_bytes(COLS).unwrap_or(0), format.type_id + 1);
            let mut split = vec![Vec::new(); format.planes.len()];
            format.split_rows(&stored, COLS, &mut split);
            let mut planes = Planes::default();
            for (i, bytes) in split.iter().enumerate() {
                planes.bytes[i] = bytes;
                planes.strides_bytes[i] = format.plane_stride_bytes(i, COLS);
            }
            let vectors = [0, 1, 2, 3, 4].map(|seed| {
                let row = noise(COLS, seed + 77).iter().map(|b| f32::from(*b) - 127.3).collect::<Vec<_>>();
                let mut x = Quantised::<Small>::default();
                x.set(&row, products);
                x
            });
            let mut together = vec![0.0; vectors.len() * ROWS];
            Tile::default().multiply::<_, 2>(products, &planes, (0, ROWS), &vectors, &mut together);
            for (x, together) in vectors.iter().zip(together.chunks(ROWS)) {
                let mut alone = vec![0.0; ROWS];
                (products.fast)(&planes, 0, x, &mut Scales::default(), &mut alone);
                for (alone, together) in alone.iter().zip(together) {
                    let same = alone.to_bits() == together.to_bits();
                    assert!(
                        same || alone.is_nan() && together.is_nan(),
                        "{}: {alone} {together}",
                        format.name
                    );
                    compared += usize::from(alone.is_finite());
                }
            }
        }
        assert!(compared > 300, "only {compared} products were numbers");
    }
}
