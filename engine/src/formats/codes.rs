//! Integer codes of weights, and what the CPU does with rows of them. A quantised value is `scale * (code - ZERO) - min`
//! with a small integer code; scale and min belong to a group of 16 or 32 values.

use wide::{f32x4, i16x8, i32x4, u16x8};

use super::{Planes, Rows, UNIT};

/// The codes of a unit as 16-bit lanes: those of even values, those of odd ones. So the bytes of a plane need no widening:
/// in a lane of two bytes the lower belongs to an even value, the upper to an odd one.
pub type Pair = [i16x8; 2];

/// How the blocks of a format become codes. Implemented by a unit struct in the format's file.
pub trait Codes {
    /// Values of a block.
    const LEN: usize;
    /// Values that share a scale: 16 or 32.
    const GROUP: usize;
    /// Subtracted from every code.
    const ZERO: i16 = 0;
    /// Whether groups have minima.
    const MINS: bool = false;

    /// Scales (and minima, where there are any) of the groups of a row's blocks, from block `first` on.
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], mins: &mut [f32]);

    /// Calls `unit` with the codes of every unit of block `block`, in order, counted from 0.
    fn codes(row: &[&[u8]], block: usize, unit: impl FnMut(usize, Pair));
}

/// An input vector in integers of 22 bits, `64 * high + low`, times a scale in every group. So products with codes are
/// sums of integers, the same on every machine, and no less exact than those of f32: the error of a value is below a
/// four millionth of the largest of its group.
#[derive(Debug, Default)]
pub struct Quantised {
    /// Of every unit the high parts, then the low ones.
    pub values: Vec<[Pair; 2]>,
    /// One a group.
    pub scales: Vec<f32>,
    /// The sum of each group.
    pub sums: Vec<f32>,
}

/// The largest of a group in integers.
const LARGEST: f32 = 32767.0 * 64.0;

/// Scales and minima of a row in the making.
#[derive(Debug, Default)]
pub struct Scales {
    scales: Vec<f32>,
    mins: Vec<f32>,
}

/// Products with the rows of a format that has codes.
#[derive(Debug, Clone, Copy)]
pub struct Products {
    /// Values that share a scale.
    pub group: usize,
    /// `out[i]` is row `first + i` times the vector, which is quantised in groups of this format.
    pub dots: fn(planes: &Planes, first: usize, x: &Quantised, scratch: &mut Scales, out: &mut [f32]),
}

impl Rows {
    /// Those of a format with codes.
    pub const fn of<F: Codes>() -> Self {
        let products = Products { group: F::GROUP, dots: dots::<F> };
        Rows { unpack: unpack::<F>, products: Some(products) }
    }
}

/// A unit of a row as f32.
pub fn decode16<F: Codes>(row: &[&[u8]], unit: usize) -> [f32; UNIT] {
    let (block, within) = (unit / (F::LEN / UNIT), unit % (F::LEN / UNIT));
    let (mut scales, mut mins) = ([0.0; GROUPS_MAX], [0.0; GROUPS_MAX]);
    let groups = F::LEN / F::GROUP;
    F::scales(row, block, &mut scales[..groups], &mut mins[..groups]);
    let mut pair = Pair::default();
    F::codes(row, block, |u, codes| {
        if u == within {
            pair = codes;
        }
    });
    let group = within * UNIT / F::GROUP;
    values::<F>(pair, scales[group], mins[group])
}

/// Most groups of a block.
const GROUPS_MAX: usize = 16;

fn unpack<F: Codes>(row: &[&[u8]], out: &mut [f32]) {
    let (mut scales, mut mins) = ([0.0; GROUPS_MAX], [0.0; GROUPS_MAX]);
    let groups = F::LEN / F::GROUP;
    for (block, out) in out.chunks_exact_mut(F::LEN).enumerate() {
        F::scales(row, block, &mut scales[..groups], &mut mins[..groups]);
        F::codes(row, block, |u, pair| {
            let (scale, min) = (scales[u * UNIT / F::GROUP], mins[u * UNIT / F::GROUP]);
            out[u * UNIT..][..UNIT].copy_from_slice(&values::<F>(pair, scale, min));
        });
    }
}

#[inline(always)]
fn values<F: Codes>(pair: Pair, scale: f32, min: f32) -> [f32; UNIT] {
    let [even, odd] = pair.map(|codes| (codes - F::ZERO).to_array());
    std::array::from_fn(|i| {
        let code = if i % 2 == 0 { even[i / 2] } else { odd[i / 2] };
        let value = scale * f32::from(code);
        if F::MINS { value - min } else { value }
    })
}

fn dots<F: Codes>(planes: &Planes, first: usize, x: &Quantised, scratch: &mut Scales, out: &mut [f32]) {
    let groups = x.scales.len();
    scratch.scales.resize(groups, 0.0);
    scratch.mins.resize(groups, 0.0);
    for (i, out) in out.iter_mut().enumerate() {
        let row = planes.row(first + i);
        F::scales(&row, 0, &mut scratch.scales, &mut scratch.mins);
        let less = scale::<F>(x, &mut scratch.scales, &scratch.mins);
        *out = dot::<F>(&row, x, &scratch.scales) - less;
    }
}

/// Multiplies the scales with those of the vector. What comes back is to be taken from the product: minima and ZERO.
#[inline(always)]
fn scale<F: Codes>(x: &Quantised, scales: &mut [f32], mins: &[f32]) -> f32 {
    if !F::MINS && F::ZERO == 0 {
        scales.iter_mut().zip(&x.scales).for_each(|(scale, x)| *scale *= x);
        return 0.0;
    }
    let mut less = [0.0f32; 4];
    let zero = f32::from(F::ZERO);
    let parts = scales.chunks_mut(4).zip(mins.chunks(4)).zip(x.scales.chunks(4).zip(x.sums.chunks(4)));
    for ((scales, mins), (x, sums)) in parts {
        for (((scale, min), (x, sum)), less) in
            scales.iter_mut().zip(mins).zip(x.iter().zip(sums)).zip(&mut less)
        {
            *less += (if F::MINS { zero * *scale + min } else { zero * *scale }) * sum;
            *scale *= x;
        }
    }
    less.iter().sum()
}

#[inline(always)]
fn dot<F: Codes>(row: &[&[u8]], x: &Quantised, scales: &[f32]) -> f32 {
    let mut sums = [f32x4::ZERO; 2];
    let blocks = x.values.chunks_exact(F::LEN / UNIT).zip(scales.chunks_exact(F::LEN / F::GROUP));
    for (block, (x, scales)) in blocks.enumerate() {
        let (mut high, mut low) = (i32x4::ZERO, i32x4::ZERO);
        F::codes(row, block, |u, [even, odd]| {
            let first = (u * UNIT).is_multiple_of(F::GROUP);
            let last = ((u + 1) * UNIT).is_multiple_of(F::GROUP);
            let [[high_even, high_odd], [low_even, low_odd]] = x[u];
            let (more_high, more_low) =
                (even.dot(high_even) + odd.dot(high_odd), even.dot(low_even) + odd.dot(low_odd));
            (high, low) = if first { (more_high, more_low) } else { (high + more_high, low + more_low) };
            if last {
                let group = u * UNIT / F::GROUP;
                sums[group % 2] += ((high << 6u32) + low).round_float() * f32x4::splat(scales[group]);
            }
        });
    }
    (sums[0] + sums[1]).reduce_add()
}

impl Quantised {
    /// Quantises a vector of whole groups.
    pub fn set(&mut self, x: &[f32], group: usize) {
        self.values.resize(x.len() / UNIT, Default::default());
        self.scales.resize(x.len() / group, 0.0);
        self.sums.resize(x.len() / group, 0.0);
        let values = self.values.chunks_exact_mut(group / UNIT);
        let places = values.zip(self.scales.iter_mut().zip(&mut self.sums));
        for (x, (values, (scale, sum))) in x.chunks_exact(group).zip(places) {
            let largest = x.iter().fold(0.0f32, |m, v| m.max(v.abs()));
            *scale = largest / LARGEST;
            let inverse = if largest > 0.0 { LARGEST / largest } else { 0.0 };
            let mut total = 0;
            for (x, values) in x.as_chunks::<UNIT>().0.iter().zip(values) {
                let codes = x.map(|v| rounded(v * inverse));
                total += codes.iter().sum::<i32>();
                let high = codes.map(|code| (code + 32) >> 6);
                let low: [i32; UNIT] = std::array::from_fn(|i| codes[i] - (high[i] << 6));
                *values = [split(high), split(low)];
            }
            *sum = *scale * total as f32;
        }
    }
}

/// Values as a pair of even and odd ones.
#[inline(always)]
fn split(values: [i32; UNIT]) -> Pair {
    std::array::from_fn(|odd| i16x8::new(std::array::from_fn(|i| values[2 * i + odd] as i16)))
}

/// The integer nearest to a value of less than 22 bits: the sum with 1.5 * 2^23 has it in its lowest bits.
#[inline(always)]
fn rounded(v: f32) -> i32 {
    (v + 12_582_912.0).to_bits() as i32 - 12_582_912.0f32.to_bits() as i32
}

/// 16 bytes of a plane as lanes.
#[inline(always)]
pub fn lanes(plane: &[u8], index: usize) -> u16x8 {
    bytemuck::cast(plane.as_chunks::<16>().0[index])
}

/// Lanes with values of both signs.
#[inline(always)]
pub fn signed(lanes: u16x8) -> i16x8 {
    bytemuck::cast(lanes)
}

/// `mask` bits from bit `from` of every byte, moved up by `to`.
#[inline(always)]
pub fn bits(lanes: u16x8, from: usize, mask: u16, to: usize) -> Pair {
    [place(lanes, from, mask, to), place(lanes, from + 8, mask, to)]
}

#[inline(always)]
fn place(lanes: u16x8, from: usize, mask: u16, to: usize) -> i16x8 {
    let moved = if from >= to { lanes >> (from - to) as u32 } else { lanes << (to - from) as u32 };
    signed(moved & u16x8::splat(mask << to))
}

/// Either bits of two pairs that have no bit in common.
#[inline(always)]
pub fn both([a, b]: Pair, [c, d]: Pair) -> Pair {
    [a | c, b | d]
}

/// Signed bytes.
#[inline(always)]
pub fn bytes(lanes: u16x8) -> Pair {
    [signed(lanes << 8u32) >> 8u32, signed(lanes) >> 8u32]
}

/// The entries of a table of 16 signed bytes that the bytes of `lanes`, each below 16, point to.
#[inline(always)]
pub fn lookup(table: [i8; 16], lanes: u16x8) -> Pair {
    let table = wide::i8x16::new(table);
    bytes(bytemuck::cast(table.shuffle_zeroing(bytemuck::cast(lanes))))
}

/// Sixteen bits, one a value, each as bit `to`.
#[inline(always)]
pub fn spread1(word: u16, to: usize) -> Pair {
    let places = |odd: usize| u16x8::new(std::array::from_fn(|i| 1 << (15 - 2 * i - odd)));
    [0, 1].map(|odd| place(u16x8::splat(word) * places(odd), 15, 1, to))
}

/// Two words of eight values, two bits each.
#[inline(always)]
pub fn spread2(words: [u16; 2]) -> Pair {
    let words = u16x8::new(std::array::from_fn(|i| words[i / 4]));
    let places = |odd: usize| u16x8::new(std::array::from_fn(|i| 1 << (14 - 4 * (i % 4) - 2 * odd)));
    [0, 1].map(|odd| signed((words * places(odd)) >> 14u32))
}

/// The magnitudes 8, 25 and 43 that two bits stand for.
#[inline(always)]
pub fn magnitudes2(codes: Pair) -> Pair {
    codes.map(|code| code * 17 + 8 + (code >> 1u32))
}

/// Four words of four values, four bits each.
#[inline(always)]
pub fn spread4(words: [u16; 4]) -> Pair {
    let words = u16x8::new(std::array::from_fn(|i| words[i / 2]));
    let places = |odd: usize| u16x8::new(std::array::from_fn(|i| 1 << (12 - 8 * (i % 2) - 4 * odd)));
    [0, 1].map(|odd| signed((words * places(odd)) >> 12u32))
}

/// Negates the values whose bit of `signs` is set.
#[inline(always)]
pub fn negate(values: Pair, signs: u16) -> Pair {
    let places = |odd: usize| u16x8::new(std::array::from_fn(|i| 1 << (15 - 2 * i - odd)));
    std::array::from_fn(|odd| {
        let mask = signed(u16x8::splat(signs) * places(odd)) >> 15u32;
        (values[odd] ^ mask) - mask
    })
}

/// f16 values.
#[inline(always)]
pub fn halves(bytes: &[u8], out: &mut [f32]) {
    for (out, half) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
        *out = widen(u16::from_le_bytes(*half));
    }
}

/// An f16 as f32, without branches: subnormal halves are normal after the subtraction, infinity and NaN keep their
/// exponent.
#[inline(always)]
pub fn widen(half: u16) -> f32 {
    const SUBNORMAL: u32 = 113 << 23;
    let (sign, rest) = (u32::from(half & 0x8000) << 16, u32::from(half & 0x7fff) << 13);
    let normal = rest + (112 << 23);
    let small = f32::from_bits(rest + SUBNORMAL) - f32::from_bits(SUBNORMAL);
    let bits = if rest < 1 << 23 { small.to_bits() } else { normal };
    let bits = if rest >= 31 << 23 { rest | 0x7f80_0000 } else { bits };
    f32::from_bits(sign | bits)
}
