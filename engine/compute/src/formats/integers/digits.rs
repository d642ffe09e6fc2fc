//! Parts of 8 bits, for the products of bytes that relaxed SIMD has: three of them, or one.

use wide::{i32x4, u16x8};

use super::Parts;
use crate::formats::planes::UNIT;
use crate::simd::{Bytes, plus_dot};

/// Three bytes, the most significant first. One side of the instruction is signed, the other below 128: for codes below
/// 128 values are three signed digits to base 256; for signed codes values plus [`OFFSET`] are three digits to base 128.
#[derive(Debug, Clone, Copy, Default)]
pub struct Digits([Bytes; 3]);

const OFFSET_BITS: u32 = 20;
/// Makes values positive.
const OFFSET: i32 = 1 << OFFSET_BITS;

impl Parts for Digits {
    #[inline(always)]
    fn largest(signed: bool) -> i32 {
        if signed { OFFSET - 1 } else { 32767 * 64 }
    }

    #[inline(always)]
    fn of(values: [i32; UNIT], signed: bool) -> Self {
        let digits = values.map(|value| match signed {
            true => [14, 7, 0].map(|shift| ((value + OFFSET) >> shift & 127) as u8),
            false => {
                let low = value as i8;
                let rest = (value - i32::from(low)) >> 8;
                let middle = rest as i8;
                let high = (rest - i32::from(middle)) >> 8;
                [high as u8, middle as u8, low as u8]
            }
        });
        Self([0, 1, 2].map(|digit| bytemuck::cast(digits.map(|digits| digits[digit]))))
    }

    #[inline(always)]
    fn dot(codes: &[Bytes], x: &[Self], signed: bool) -> i32x4 {
        let mut sum = i32x4::ZERO;
        for digit in 0..3 {
            if digit > 0 {
                sum <<= if signed { 7u32 } else { 8u32 };
            }
            for i in 0..codes.len() {
                let part = x[i].0[digit];
                sum = if signed { plus_dot(sum, codes[i], part) } else { plus_dot(sum, part, codes[i]) };
            }
        }
        if !signed {
            return sum;
        }
        let mut of_codes = i32x4::ZERO;
        for codes in codes {
            of_codes = plus_dot(of_codes, *codes, u16x8::splat(0x0101));
        }
        sum - (of_codes << OFFSET_BITS)
    }
}

/// One byte, 8 bits of a value. For codes below 128 it is signed. For signed codes it is the value's size, below 128, and
/// what flips a code where the value is negative: flipped bits of `c` are `-c - 1`, so each such product lacks the size,
/// which is added once for all rows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Digit {
    bytes: Bytes,
    flips: Bytes,
    lacking: i32x4,
}

impl Parts for Digit {
    #[inline(always)]
    fn largest(_: bool) -> i32 {
        127
    }

    #[inline(always)]
    fn of(values: [i32; UNIT], signed: bool) -> Self {
        if !signed {
            let bytes = bytemuck::cast(values.map(|value| value as i8));
            return Self { bytes, ..Self::default() };
        }
        Self {
            bytes: bytemuck::cast(values.map(|value| value.unsigned_abs() as u8)),
            flips: bytemuck::cast(values.map(|value| if value < 0 { u8::MAX } else { 0 })),
            lacking: i32x4::new(std::array::from_fn(|lane| {
                values[4 * lane..][..4].iter().map(|value| (-value).max(0)).sum()
            })),
        }
    }

    #[inline(always)]
    fn dot(codes: &[Bytes], x: &[Self], signed: bool) -> i32x4 {
        let mut sum = if signed { x[0].lacking } else { i32x4::ZERO };
        for i in 0..codes.len() {
            if signed && i > 0 {
                sum += x[i].lacking;
            }
            sum = match signed {
                true => plus_dot(sum, codes[i] ^ x[i].flips, x[i].bytes),
                false => plus_dot(sum, x[i].bytes, codes[i]),
            };
        }
        sum
    }
}
