//! Integer codes of weights, and what the CPU does with rows of them. A quantised value is `scale * (code - ZERO) - min`
//! with a small integer code; scale and min belong to a group of 16 or 32 values.

use std::marker::PhantomData;

use wide::f32x4;

use super::integers::{Integers, Parts, Small};
use super::planes::{PLANES_MAX, Planes, UNIT};
use super::precision::Precision;
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

/// An input vector in integers, times a scale in every group.
#[derive(Debug, Default)]
pub struct Quantised<P> {
    /// One a unit.
    values: Vec<P>,
    /// One a group.
    scales: Vec<f32>,
    /// The sum of each group.
    sums: Vec<f32>,
}

/// An input vector in integers of one size.
#[derive(Debug)]
pub enum Input {
    /// Of 21 or 22 bits.
    Exact(Quantised<Integers>),
    /// Of 8 bits.
    Fast(Quantised<Small>),
}

impl Default for Input {
    fn default() -> Self {
        Input::Exact(Quantised::default())
    }
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
    /// Values that share a scale.
    pub group: usize,
    /// Whether codes are signed.
    pub signed: bool,
    exact: Dots<Integers>,
    fast: Dots<Small>,
}

/// `out[i]` is row `first + i` times the vector, which is quantised in groups of the format.
type Dots<P> = fn(planes: &Planes, first: usize, x: &Quantised<P>, scratch: &mut Scales, out: &mut [f32]);

impl Products {
    /// `out[i]` is row `first + i` times the vector, which is quantised in groups of this format.
    pub fn dots(&self, planes: &Planes, first: usize, x: &Input, scratch: &mut Scales, out: &mut [f32]) {
        match x {
            Input::Exact(x) => (self.exact)(planes, first, x, scratch, out),
            Input::Fast(x) => (self.fast)(planes, first, x, scratch, out),
        }
    }
}

/// What the CPU does with rows of a format.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// Makes f32 of a row, padded to whole units.
    pub unpack: fn(row: &[&[u8]], out: &mut [f32]),
    /// Products in integers, where the format has codes.
    pub products: Option<Products>,
}

impl Rows {
    /// Those of a format with codes.
    pub const fn of<F: Codes>() -> Self {
        let (exact, fast): (Dots<Integers>, Dots<Small>) = match (F::RUN / UNIT, F::RUN / F::GROUP) {
            (2, 1) => (dots::<F, _, 2, 1>, dots::<F, _, 2, 1>),
            (2, 2) => (dots::<F, _, 2, 2>, dots::<F, _, 2, 2>),
            (4, 2) => (dots::<F, _, 4, 2>, dots::<F, _, 4, 2>),
            (4, 4) => (dots::<F, _, 4, 4>, dots::<F, _, 4, 4>),
            (16, 8) => (dots::<F, _, 16, 8>, dots::<F, _, 16, 8>),
            // Right, but slow: a test asks for a line here.
            _ => return Rows { unpack: unpack::<F>, products: None },
        };
        let products = Products { group: F::GROUP, signed: F::SIGNED, exact, fast };
        Rows { unpack: unpack::<F>, products: Some(products) }
    }
}

/// A unit of a row as f32.
pub fn decode16<F: Codes>(row: &[&[u8]], unit: usize) -> [f32; UNIT] {
    let block = unit * UNIT / F::LEN;
    let (mut scales, mut mins) = ([0.0; GROUPS_MAX], [0.0; GROUPS_MAX]);
    let groups = F::LEN / F::GROUP;
    F::scales(row, block, &mut scales[..groups], &mut mins[..groups]);
    let mut one = One { unit: unit % (F::RUN / UNIT), codes: Bytes::ZERO };
    F::codes(row, unit * UNIT / F::RUN, &mut one);
    let group = unit * UNIT % F::LEN / F::GROUP;
    values::<F>(one.codes, scales[group], mins[group])
}

/// Keeps the codes of one unit.
struct One {
    unit: usize,
    codes: Bytes,
}

impl Sink for One {
    #[inline(always)]
    fn unit(&mut self, unit: usize, codes: Bytes) {
        if unit == self.unit {
            self.codes = codes;
        }
    }
}

/// Most groups of a block.
const GROUPS_MAX: usize = 16;

fn unpack<F: Codes>(row: &[&[u8]], out: &mut [f32]) {
    let (mut scales, mut mins) = ([0.0; GROUPS_MAX], [0.0; GROUPS_MAX]);
    let groups = F::LEN / F::GROUP;
    for (block, out) in out.chunks_exact_mut(F::LEN).enumerate() {
        F::scales(row, block, &mut scales[..groups], &mut mins[..groups]);
        // By number, because iterators over several things are not always inlined.
        let groups = F::RUN / F::GROUP;
        for (run, out) in out.chunks_exact_mut(F::RUN).enumerate() {
            let (scales, mins) = (&scales[run * groups..][..groups], &mins[run * groups..][..groups]);
            let run = block * (F::LEN / F::RUN) + run;
            F::codes(row, run, &mut Values::<F> { scales, mins, out, of: PhantomData });
        }
    }
}

/// Writes values.
struct Values<'a, F> {
    scales: &'a [f32],
    mins: &'a [f32],
    out: &'a mut [f32],
    of: PhantomData<F>,
}

impl<F: Codes> Sink for Values<'_, F> {
    #[inline(always)]
    fn unit(&mut self, unit: usize, codes: Bytes) {
        let group = unit * UNIT / F::GROUP;
        let values = values::<F>(codes, self.scales[group], self.mins[group]);
        self.out[unit * UNIT..][..UNIT].copy_from_slice(&values);
    }
}

/// The values of a unit, four at a time.
#[inline(always)]
fn values<F: Codes>(codes: Bytes, scale: f32, min: f32) -> [f32; UNIT] {
    let (scale, min) = (f32x4::splat(scale), f32x4::splat(min));
    let value = |code: f32x4| {
        let value = code * scale;
        if F::MINS { value - min } else { value }
    };
    let [first, second] = widened(codes, F::SIGNED);
    let ([a, b], [c, d]) = (simd::floats(first - F::ZERO), simd::floats(second - F::ZERO));
    bytemuck::cast([value(a), value(b), value(c), value(d)])
}

/// Rows at a time. They lie apart: memory answers two streams faster than one.
const ROWS: usize = 2;

fn dots<F: Codes, P: Parts, const UNITS: usize, const GROUPS: usize>(
    planes: &Planes,
    first: usize,
    x: &Quantised<P>,
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
            less[r] = scale::<F, P>(x, scales, mins);
        }
        let sums =
            dot::<F, P, UNITS, GROUPS>(&rows, x, scratch.scales.each_ref().map(|scales| &scales[..groups]));
        for r in 0..ROWS {
            out[at[r]] = sums[r] - less[r];
        }
    }
}

/// Multiplies the scales with those of the vector. What comes back is to be taken from the product: minima and ZERO.
#[inline(always)]
fn scale<F: Codes, P>(x: &Quantised<P>, scales: &mut [f32], mins: &[f32]) -> f32 {
    let mut less = f32x4::ZERO;
    let zero = f32x4::splat(f32::from(F::ZERO));
    let (scales, mins) = (scales.as_chunks_mut::<4>().0, mins.as_chunks::<4>().0);
    let (x_scales, x_sums) = (x.scales.as_chunks::<4>().0, x.sums.as_chunks::<4>().0);
    for (((scales, mins), x), sums) in scales.iter_mut().zip(mins).zip(x_scales).zip(x_sums) {
        let scale = f32x4::from(*scales);
        if F::MINS || F::ZERO != 0 {
            let min = if F::MINS { zero * scale + f32x4::from(*mins) } else { zero * scale };
            less += min * f32x4::from(*sums);
        }
        *scales = (scale * f32x4::from(*x)).to_array();
    }
    less.reduce_add()
}

/// Runs of `UNITS` units and `GROUPS` groups.
#[inline(always)]
fn dot<F: Codes, P: Parts, const UNITS: usize, const GROUPS: usize>(
    rows: &[[&[u8]; PLANES_MAX]; ROWS],
    x: &Quantised<P>,
    scales: [&[f32]; ROWS],
) -> [f32; ROWS] {
    let mut sums = [f32x4::ZERO; ROWS];
    // As slices of one length, whose bounds need not be checked in every turn.
    let runs = x.values.len() / UNITS;
    let x = &x.values.as_chunks::<UNITS>().0[..runs];
    let scales = scales.map(|scales| &scales.as_chunks::<GROUPS>().0[..runs]);
    for run in 0..runs {
        for r in 0..ROWS {
            let (scales, sum) = (&scales[r][run], sums[r]);
            let mut dot = Dot::<F, P> { x: &x[run], scales, held: Bytes::ZERO, sum, of: PhantomData };
            F::codes(&rows[r], run, &mut dot);
            sums[r] = dot.sum;
        }
    }
    sums.map(f32x4::reduce_add)
}

/// Adds the products of a run with a vector.
struct Dot<'a, F, P> {
    x: &'a [P],
    scales: &'a [f32],
    /// The codes of the first unit of a group of two.
    held: Bytes,
    sum: f32x4,
    of: PhantomData<F>,
}

impl<F: Codes, P: Parts> Sink for Dot<'_, F, P> {
    #[inline(always)]
    fn unit(&mut self, unit: usize, codes: Bytes) {
        let sum = if F::GROUP == UNIT {
            P::dot(&[codes], &self.x[unit..=unit], F::SIGNED)
        } else if unit.is_multiple_of(2) {
            self.held = codes;
            return;
        } else {
            P::dot(&[self.held, codes], &self.x[unit - 1..=unit], F::SIGNED)
        };
        let scale = f32x4::splat(self.scales[unit * UNIT / F::GROUP]);
        self.sum = plus_times(self.sum, sum.round_float(), scale);
    }
}

impl Input {
    /// Quantises a vector of whole groups.
    pub fn set(&mut self, x: &[f32], products: &Products, precision: Precision) {
        match (&mut *self, precision) {
            (Input::Exact(to), Precision::Exact) => to.set(x, products),
            (Input::Fast(to), Precision::Fast) => to.set(x, products),
            (_, Precision::Exact) => {
                *self = Input::Exact(Quantised::default());
                self.set(x, products, precision);
            }
            (_, Precision::Fast) => {
                *self = Input::Fast(Quantised::default());
                self.set(x, products, precision);
            }
        }
    }

    /// What is allocated.
    pub fn bytes(&self) -> u64 {
        match self {
            Input::Exact(x) => x.bytes(),
            Input::Fast(x) => x.bytes(),
        }
    }
}

impl<P: Parts> Quantised<P> {
    fn bytes(&self) -> u64 {
        let values = self.values.capacity() * size_of::<P>();
        (values + size_of::<f32>() * (self.scales.capacity() + self.sums.capacity())) as u64
    }

    fn set(&mut self, x: &[f32], products: &Products) {
        let (group, signed) = (products.group, products.signed);
        let most = P::largest(signed) as f32;
        self.values.resize(x.len() / UNIT, P::default());
        let groups = x.len() / group;
        // Four at a time; those that fill up add nothing.
        for part in [&mut self.scales, &mut self.sums] {
            part.clear();
            part.resize(groups.next_multiple_of(4), 0.0);
        }
        let values = self.values.chunks_exact_mut(group / UNIT);
        let places = values.zip(self.scales.iter_mut().zip(&mut self.sums));
        for (x, (values, (scale, sum))) in x.chunks_exact(group).zip(places) {
            let largest = x.iter().fold(0.0f32, |m, v| m.max(v.abs()));
            *scale = largest / most;
            let inverse = if largest > 0.0 { most / largest } else { 0.0 };
            let mut total = 0;
            for (x, values) in x.as_chunks::<UNIT>().0.iter().zip(values) {
                let x = x.map(|v| rounded(v * inverse));
                total += x.iter().sum::<i32>();
                *values = P::of(x, signed);
            }
            *sum = *scale * total as f32;
        }
    }
}

/// The integer nearest to a value of less than 22 bits: the sum with 1.5 * 2^23 has it in its lowest bits.
#[inline(always)]
fn rounded(v: f32) -> i32 {
    (v + 12_582_912.0).to_bits() as i32 - 12_582_912.0f32.to_bits() as i32
}

#[cfg(test)]
mod tests {
    use crate::formats::FORMATS;

    #[test]
    fn formats_with_blocks_are_multiplied_in_integers() {
        for format in FORMATS {
            assert_eq!(format.block_len > 1, format.rows.products.is_some(), "{}", format.name);
        }
    }
}
