//! Products of a tile of weight rows with inputs.

use wide::f32x4;

use super::allocated::vec_bytes;
use super::inputs::{FEW, Form, Inputs, LANES, PANEL};
use crate::formats::{self, Format, Planes, Precision, Scales, UNIT};
use crate::plan::{Shard, Weight};
use crate::simd::plus_times;

/// Rows of a tile where there are many inputs.
const ROWS: usize = 16;
/// Rows of a tile where there are few.
const ROWS_OF_FEW: usize = 256;
/// Units of the inputs that stay in the first cache while the rows of a tile pass.
const UNITS_AT_ONCE: usize = 32;

/// Weight rows as they are multiplied.
#[derive(Debug, Default)]
pub struct Tile {
    values: Vec<f32>,
    of_row: Scales,
    codes: formats::Tile,
}

impl Tile {
    /// What is allocated.
    pub fn bytes(&self) -> u64 {
        vec_bytes(&self.values) + self.of_row.bytes() + self.codes.bytes()
    }
}

/// What a [`Tile`] of a weight comes to.
pub fn tile_bytes(weight: &Weight, precision: Precision) -> usize {
    let values = size_of::<f32>() * ROWS * weight.cols.next_multiple_of(UNIT);
    match (weight.format.products(), precision) {
        (None, _) => values,
        (Some(products), Precision::Exact) => values + formats::Tile::bytes_of(ROWS, weight.cols, products),
        (Some(products), Precision::Fast) => formats::Tile::bytes_of(ROWS, weight.cols, products),
    }
}

/// What two lists of products with `count` inputs come to.
pub fn product_bytes(count: usize) -> usize {
    2 * size_of::<f32>() * (ROWS * count).max(ROWS_OF_FEW)
}

/// Rows that [`multiply`] takes at a time.
pub fn rows_at_once(inputs: &Inputs) -> usize {
    match inputs.form {
        Form::Row => ROWS_OF_FEW,
        Form::Fast if inputs.count <= FEW => ROWS_OF_FEW,
        _ => ROWS,
    }
}

/// The planes of a shard.
pub fn planes<'a>(shard: &Shard, bytes: &'a [u8]) -> Planes<'a> {
    let mut planes = Planes::default();
    for (i, place) in shard.planes.iter().enumerate() {
        planes.bytes[i] = &bytes[place.offset_bytes..];
        planes.strides_bytes[i] = place.stride_bytes;
    }
    planes
}

/// Decodes a row of a shard; what lies beyond the last value is zero.
pub fn decode_row(format: &Format, shard: &Shard, bytes: &[u8], row: usize, out: &mut [f32]) {
    format.unpack(&planes(shard, bytes).row(row), out);
}

/// out[t * n + i] = row `first + i` times input `t`, for `n` rows, no more than [`rows_at_once`].
pub fn multiply(
    tile: &mut Tile,
    inputs: &Inputs,
    format: &Format,
    planes: &Planes,
    first: usize,
    n: usize,
    out: &mut [f32],
) {
    if let Some(products) = format.products() {
        let rows = (first, n);
        match inputs.form {
            Form::Exact => {
                tile.codes.multiply::<_, 1>(products, planes, rows, &inputs.exact[..inputs.count], out);
                return;
            }
            Form::Fast if inputs.count > FEW => {
                tile.codes.multiply::<_, 2>(products, planes, rows, &inputs.fast[..inputs.count], out);
                return;
            }
            Form::Fast => {
                for (x, out) in inputs.fast[..inputs.count].iter().zip(out.chunks_exact_mut(n)) {
                    (products.fast)(planes, first, x, &mut tile.of_row, out);
                }
                return;
            }
            Form::Row | Form::Panels => (),
        }
    }
    if let (Form::Row, formats::Rows::Values(values)) = (inputs.form, &format.rows) {
        for (i, out) in out[..n].iter_mut().enumerate() {
            *out = (values.dot)(planes.row(first + i)[0], &inputs.row);
        }
        return;
    }
    tile.values.resize(ROWS * inputs.stride, 0.0);
    for (i, row) in tile.values.chunks_exact_mut(inputs.stride).take(n).enumerate() {
        format.unpack(&planes.row(first + i), row);
    }
    let vectors = inputs.count.div_ceil(LANES);
    for panel in (0..vectors).step_by(PANEL) {
        match vectors - panel {
            1 => panel_times::<1, 4>(tile, inputs, panel, n, out),
            2 => panel_times::<2, 4>(tile, inputs, panel, n, out),
            3 => panel_times::<3, 2>(tile, inputs, panel, n, out),
            _ => panel_times::<PANEL, 2>(tile, inputs, panel, n, out),
        }
    }
}

/// The tile's rows, `R` at a time, times a panel of `T` vectors.
fn panel_times<const T: usize, const R: usize>(
    tile: &Tile,
    inputs: &Inputs,
    first: usize,
    n: usize,
    out: &mut [f32],
) {
    let units = inputs.stride / UNIT;
    let x =
        inputs.values[first * inputs.stride..][..T * inputs.stride].as_chunks::<T>().0.as_chunks::<UNIT>().0;
    let values = tile.values.as_chunks::<UNIT>().0;
    let mut sums = [[f32x4::ZERO; T]; ROWS];
    for block in (0..units).step_by(UNITS_AT_ONCE) {
        let block = block..(block + UNITS_AT_ONCE).min(units);
        for row in (0..n).step_by(R) {
            // Loops, because what stays in registers must not be made by a function that may not be inlined.
            let mut of_row = [values; R];
            let mut total = [[f32x4::ZERO; T]; R];
            for r in 0..R {
                of_row[r] = &values[(row + r) * units..][..units];
                total[r] = sums[row + r];
            }
            for u in block.clone() {
                let x = &x[u];
                let mut of_unit = [&values[0]; R];
                for r in 0..R {
                    of_unit[r] = &of_row[r][u];
                }
                for i in 0..UNIT {
                    for r in 0..R {
                        let value = f32x4::splat(of_unit[r][i]);
                        for v in 0..T {
                            total[r][v] = plus_times(total[r][v], value, x[i][v]);
                        }
                    }
                }
            }
            sums[row..row + R].copy_from_slice(&total);
        }
    }
    put(&sums, first, inputs.count, n, out);
}

/// Lanes to rows of tokens.
fn put<const T: usize>(sums: &[[f32x4; T]; ROWS], first: usize, count: usize, n: usize, out: &mut [f32]) {
    let tokens = first * LANES..(first * LANES + T * LANES).min(count);
    let tokens = out[tokens.start * n..tokens.end * n].chunks_exact_mut(n);
    for (t, out) in tokens.enumerate() {
        for (out, sums) in out.iter_mut().zip(sums) {
            *out = sums[t / LANES].to_array()[t % LANES];
        }
    }
}
