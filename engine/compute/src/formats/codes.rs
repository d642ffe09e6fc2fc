//! Integer codes of weights, and what the CPU does with rows of them. A quantised value is `scale * (code - ZERO) - min`
//! with a small integer code; scale and min belong to a group of 16 or 32 values.

use std::marker::PhantomData;

use wide::f32x4;

use super::integers::{Parts, Small};
use super::planes::{PLANES_MAX, Planes, UNIT};
use super::values::Values;
use crate::simd::{self, Bytes, plus_times, widened};

/// How the blocks of a format become codes. Implemented by a unit struct in the format's file.
pub trait Codes {
    /// Values of a block.
    const LEN: usize;
    /// Values that share a scale: 16 or 32.
    const GROUP: usize;
    /// Values that are unpacked together, whole groups. Some 32 are best: what a loop over runs holds must find room in
    /// sixteen registers.
    const RUN: usize;
    /// Subtracted from every code.
    const ZERO: i16 = 0;
    /// Whether codes are signed bytes. Others are below 128.
    const SIGNED: bool = false;
    /// Whether groups have minima.
    const MINS: bool = false;

    /// Scales (and minima, where there are any) of the groups of a row's blocks, from block `first` on.
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], mins: &mut [f32]);

    /// Gives the codes of every unit of run `run` of a row, in order.
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink);
}

/// What takes codes. Not a closure, so that it can be said that it is inlined.
pub trait Sink {
    /// Those of unit `unit` of a run, as bytes.
    fn unit(&mut self, unit: usize, codes: Bytes);
}

/// An input vector in integers. In every group the values whose products meet in a lane have a scale of their own, so 4 or 8
/// values share one.
#[derive(Debug, Default)]
pub struct Quantised<P> {
    /// One a unit.
    pub(super) values: Vec<P>,
    /// One a group, of lane `i` for values `4 i..4 i + 4` of its units.
    pub(super) scales: Vec<f32x4>,
    /// The sum of each group.
    pub(super) sums: Vec<f32>,
}

/// Scales and minima of rows in the making.
#[derive(Debug, Default)]
pub struct Scales {
    scales: [Vec<f32>; ROWS],
    mins: [Vec<f32>; ROWS],
}

impl Scales {
    /// What is allocated.
    pub fn bytes(&self) -> u64 {
        self.scales.iter().chain(&self.mins).map(|v| 4 * v.capacity() as u64).sum()
    }
}

/// Products with the rows of a format that has codes.
#[derive(Debug, Clone, Copy)]
pub struct Products {
    /// Values of a block.
    pub len: usize,
    /// Values that share a scale.
    pub group: usize,
    /// Subtracted from every code.
    pub zero: i16,
    /// Whether codes are signed.
    pub signed: bool,
    /// Whether products are corrected by sums of inputs.
    pub has_mins: bool,
    /// Products with one vector of small integers.
    pub fast: Dots,
    /// Makes codes, scales and minima of blocks of a row.
    pub unpack: Unpack,
}

/// Makes codes of the blocks of a row from block `first` on, and of each group the scale and what the sum of its inputs is
/// multiplied with.
pub type Unpack = fn(row: &[&[u8]], first: usize, codes: &mut [Bytes], scales: &mut [f32], mins: &mut [f32]);

/// `out[i]` is row `first + i` times the vector, which is quantised in groups of the format.
pub type Dots =
    fn(planes: &Planes, first: usize, x: &Quantised<Small>, scratch: &mut Scales, out: &mut [f32]);

/// What the CPU does with rows of a format.
#[derive(Debug, Clone, Copy)]
pub enum Rows {
    /// Values as they are.
    Values(Values),
    /// Products in integers.
    Codes(Products),
}

impl Rows {
    /// Those of a format with codes.
    #[expect(clippy::panic, reason = "while it is compiled")]
    pub const fn of<F: Codes>() -> Self {
        assert!(F::ZERO == 0 || !F::MINS, "only one of both is taken from products");
        Rows::Codes(Products {
            len: F::LEN,
            group: F::GROUP,
            zero: F::ZERO,
            signed: F::SIGNED,
            has_mins: has_mins::<F>(),
            fast: match (F::RUN / UNIT, F::RUN / F::GROUP) {
                (2, 1) => dots::<F, 2, 1>,
                (2, 2) => dots::<F, 2, 2>,
                (4, 2) => dots::<F, 4, 2>,
                (4, 4) => dots::<F, 4, 4>,
                (16, 8) => dots::<F, 16, 8>,
                _ => panic!("runs like these need a line here"),
            },
            unpack: codes::<F>,
        })
    }
}

/// Values that are made at a time: the largest block.
const VALUES: usize = 256;

impl Products {
    /// Makes f32 of whole blocks of a row. Not code of each format, because products do not wait for it.
    pub fn values(&self, row: &[&[u8]], out: &mut [f32]) {
        let mut codes = [Bytes::ZERO; VALUES / UNIT];
        let (mut scales, mut mins) = ([0.0; VALUES / UNIT], [0.0; VALUES / UNIT]);
        for (i, out) in out.chunks_mut(VALUES).enumerate() {
            let (units, groups) = (out.len() / UNIT, out.len() / self.group);
            let (scales, mins) = (&mut scales[..groups], &mut mins[..groups]);
            (self.unpack)(row, i * VALUES / self.len, &mut codes[..units], scales, mins);
            for (unit, out) in out.as_chunks_mut::<UNIT>().0.iter_mut().enumerate() {
                let group = unit * UNIT / self.group;
                // Where there is a zero, what was made is no minimum.
                let min = if self.zero == 0 { mins[group] } else { 0.0 };
                *out = self.unit(codes[unit], scales[group], min);
            }
        }
    }

    /// The values of a unit, four at a time.
    #[inline(always)]
    fn unit(&self, codes: Bytes, scale: f32, min: f32) -> [f32; UNIT] {
        let (scale, min) = (f32x4::splat(scale), f32x4::splat(min));
        let [first, second] = widened(codes, self.signed);
        let ([a, b], [c, d]) = (simd::floats(first - self.zero), simd::floats(second - self.zero));
        bytemuck::cast([a, b, c, d].map(|code| code * scale - min))
    }
}

/// Whether something is to be taken from products: minima, or ZERO.
const fn has_mins<F: Codes>() -> bool {
    F::MINS || F::ZERO != 0
}

/// Writes codes.
struct Whole<'a>(&'a mut [Bytes]);

impl Sink for Whole<'_> {
    #[inline(always)]
    fn unit(&mut self, unit: usize, codes: Bytes) {
        self.0[unit] = codes;
    }
}

/// Codes and scales of a row, and what the sum of a group's inputs is multiplied with.
fn codes<F: Codes>(row: &[&[u8]], first: usize, codes: &mut [Bytes], scales: &mut [f32], mins: &mut [f32]) {
    F::scales(row, first, scales, mins);
    if F::ZERO != 0 {
        let zero = f32::from(F::ZERO);
        mins.iter_mut().zip(&*scales).for_each(|(min, scale)| *min = zero * scale);
    }
    for (run, codes) in codes.chunks_exact_mut(F::RUN / UNIT).enumerate() {
        F::codes(row, first * (F::LEN / F::RUN) + run, &mut Whole(codes));
    }
}

/// Rows at a time. They lie apart: memory answers two streams faster than one.
const ROWS: usize = 2;

fn dots<F: Codes, const UNITS: usize, const GROUPS: usize>(
    planes: &Planes,
    first: usize,
    x: &Quantised<Small>,
    scratch: &mut Scales,
    out: &mut [f32],
) {
    let groups = x.values.len() * UNIT / F::GROUP;
    for part in scratch.scales.iter_mut().chain(&mut scratch.mins) {
        part.clear();
        part.resize(groups.next_multiple_of(4), 0.0);
    }
    let apart = out.len().div_ceil(ROWS);
    for i in 0..apart {
        // Where rows are odd in number, the last one twice.
        let at: [_; ROWS] = std::array::from_fn(|r| (i + r * apart).min(out.len() - 1));
        let rows = at.map(|at| planes.row(first + at));
        let mut less = [0.0; ROWS];
        for r in 0..ROWS {
            let (scales, mins) = (&mut scratch.scales[r], &mut scratch.mins[r]);
            F::scales(&rows[r], 0, &mut scales[..groups], &mut mins[..groups]);
            less[r] = if has_mins::<F>() { less_of::<F>(x, scales, mins) } else { 0.0 };
        }
        let sums =
            dot::<F, UNITS, GROUPS>(&rows, x, scratch.scales.each_ref().map(|scales| &scales[..groups]));
        for r in 0..ROWS {
            out[at[r]] = sums[r] - less[r];
        }
    }
}

/// What is to be taken from the product: minima and ZERO.
#[inline(always)]
fn less_of<F: Codes>(x: &Quantised<Small>, scales: &[f32], mins: &[f32]) -> f32 {
    let mut less = f32x4::ZERO;
    let zero = f32x4::splat(f32::from(F::ZERO));
    let (scales, mins) = (scales.as_chunks::<4>().0, mins.as_chunks::<4>().0);
    for ((scales, mins), sums) in scales.iter().zip(mins).zip(x.sums.as_chunks::<4>().0) {
        let min = if F::MINS { f32x4::from(*mins) } else { zero * f32x4::from(*scales) };
        less += min * f32x4::from(*sums);
    }
    less.reduce_add()
}

/// Runs of `UNITS` units and `GROUPS` groups.
#[inline(always)]
fn dot<F: Codes, const UNITS: usize, const GROUPS: usize>(
    rows: &[[&[u8]; PLANES_MAX]; ROWS],
    x: &Quantised<Small>,
    scales: [&[f32]; ROWS],
) -> [f32; ROWS] {
    let mut sums = [f32x4::ZERO; ROWS];
    // As slices of one length, whose bounds need not be checked in every turn.
    let runs = x.values.len() / UNITS;
    let x_scales = &x.scales.as_chunks::<GROUPS>().0[..runs];
    let x = &x.values.as_chunks::<UNITS>().0[..runs];
    let scales = scales.map(|scales| &scales.as_chunks::<GROUPS>().0[..runs]);
    for run in 0..runs {
        for r in 0..ROWS {
            let (scales, sum) = (&scales[r][run], sums[r]);
            let (x, x_scales) = (&x[run], &x_scales[run]);
            let mut dot = Dot::<F> { x, x_scales, scales, held: Bytes::ZERO, sum, of: PhantomData };
            F::codes(&rows[r], run, &mut dot);
            sums[r] = dot.sum;
        }
    }
    sums.map(f32x4::reduce_add)
}

/// Adds the products of a run with a vector.
struct Dot<'a, F> {
    x: &'a [Small],
    x_scales: &'a [f32x4],
    scales: &'a [f32],
    /// The codes of the first unit of a group of two.
    held: Bytes,
    sum: f32x4,
    of: PhantomData<F>,
}

impl<F: Codes> Sink for Dot<'_, F> {
    #[inline(always)]
    fn unit(&mut self, unit: usize, codes: Bytes) {
        let sum = if F::GROUP == UNIT {
            Small::dot(&[codes], &self.x[unit..=unit], F::SIGNED)
        } else if unit.is_multiple_of(2) {
            self.held = codes;
            return;
        } else {
            Small::dot(&[self.held, codes], &self.x[unit - 1..=unit], F::SIGNED)
        };
        let group = unit * UNIT / F::GROUP;
        let scale = f32x4::splat(self.scales[group]) * self.x_scales[group];
        self.sum = plus_times(self.sum, sum.round_float(), scale);
    }
}

impl<P: Parts> Quantised<P> {
    /// What a vector of `cols` values comes to.
    pub fn bytes_of(cols: usize, products: &Products) -> usize {
        let groups = cols / products.group;
        cols / UNIT * size_of::<P>() + groups * (size_of::<f32x4>() + size_of::<f32>())
    }

    /// What is allocated.
    pub fn bytes(&self) -> u64 {
        let values = self.values.capacity() * size_of::<P>();
        let scales = self.scales.capacity() * size_of::<f32x4>();
        (values + scales + self.sums.capacity() * size_of::<f32>()) as u64
    }

    /// Quantises a vector of whole groups.
    pub fn set(&mut self, x: &[f32], products: &Products) {
        let (group, signed) = (products.group, products.signed);
        let limit = P::largest(signed);
        let most = limit as f32;
        exactly(&mut self.values, x.len() / UNIT, P::default());
        let groups = x.len() / group;
        exactly(&mut self.scales, groups, f32x4::ZERO);
        // Four at a time; those that fill up add nothing.
        self.sums.clear();
        exactly(&mut self.sums, groups.next_multiple_of(4), 0.0);
        let values = self.values.chunks_exact_mut(group / UNIT);
        let places = values.zip(self.scales.iter_mut().zip(&mut self.sums));
        for (x, (values, (scale, sum))) in x.chunks_exact(group).zip(places) {
            let lanes = x.as_chunks::<4>().0;
            let mut largest = [0.0f32; 4];
            for (i, lane) in lanes.iter().enumerate() {
                largest[i % 4] = lane.iter().fold(largest[i % 4], |m, v| m.max(v.abs()));
            }
            let scales = largest.map(|largest| largest / most);
            let inverse = largest.map(|largest| if largest > 0.0 { most / largest } else { 0.0 });
            let mut totals = [0; 4];
            for (x, values) in x.as_chunks::<UNIT>().0.iter().zip(values) {
                let x: [i32; UNIT] = std::array::from_fn(|i| {
                    // What is no number, as weights of infinity make it, stays within what sums have room for. Its scale tells.
                    rounded(x[i] * inverse[i / 4]).clamp(-limit, limit)
                });
                for (i, lane) in x.as_chunks::<4>().0.iter().enumerate() {
                    totals[i] += lane.iter().sum::<i32>();
                }
                *values = P::of(x, signed);
            }
            *scale = f32x4::new(scales);
            *sum = totals.iter().zip(scales).map(|(total, scale)| scale * *total as f32).sum();
        }
    }
}

/// Gives a list a length. There are few lengths, and the largest should not take twice as much.
pub(super) fn exactly<T: Copy>(list: &mut Vec<T>, len: usize, with: T) {
    list.reserve_exact(len.saturating_sub(list.len()));
    list.resize(len, with);
}

/// The integer nearest to a value of less than 22 bits: the sum with 1.5 * 2^23 has it in its lowest bits.
#[inline(always)]
fn rounded(v: f32) -> i32 {
    (v + 12_582_912.0).to_bits() as i32 - 12_582_912.0f32.to_bits() as i32
}

#[cfg(test)]
mod tests {
    use super::{Quantised, rounded};
    use crate::formats::{FORMATS, Small};

    #[test]
    fn values_that_are_no_numbers_overflow_no_sum() {
        let values =
            [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN, f32::MAX, f32::MIN_POSITIVE / 64.0, 3.0];
        let mut checked = 0;
        for products in FORMATS.iter().filter_map(|format| format.products()) {
            for value in values {
                for other in [value, 1.0] {
                    let row: Vec<f32> =
                        (0..products.group).map(|i| if i % 2 == 0 { value } else { other }).collect();
                    let mut x = Quantised::<Small>::default();
                    x.set(&row, products);
                    checked += x.sums.len();
                    // A finite group is what it was.
                    let finite =
                        row.iter().all(|value| value.abs() <= f32::MAX && value.abs() >= f32::MIN_POSITIVE);
                    let exact: f64 = row.iter().map(|value| f64::from(*value)).sum();
                    if finite && exact.abs() < f64::from(f32::MAX) {
                        assert!(
                            (f64::from(x.sums[0]) - exact).abs() <= exact.abs() / 50.0,
                            "{value} {other}"
                        );
                    }
                }
            }
        }
        assert!(checked > 100, "{checked}");
        for value in [-2_000_000.4_f32, -0.6, 0.0, 0.4, 0.6, 1_999_999.6] {
            assert_eq!(rounded(value), value.round() as i32);
        }
    }
}
