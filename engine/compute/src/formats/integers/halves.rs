//! Parts of 16 bits, for the products of 16-bit lanes that every SIMD has: two of them, or one.

use wide::{i16x8, i32x4};

use super::Parts;
use crate::formats::planes::UNIT;
use crate::simd::Bytes;

/// `64 * high + low` of 16 bits each; the lanes of both are those of the even values, then those of the odd ones. So
/// bytes need no widening: in a lane of two bytes the lower belongs to an even value, the upper to an odd one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Halves {
    high: [i16x8; 2],
    low: [i16x8; 2],
}

impl Parts for Halves {
    #[inline(always)]
    fn largest(_: bool) -> i32 {
        32767 * 64
    }

    #[inline(always)]
    fn of(values: [i32; UNIT], _: bool) -> Self {
        let high = values.map(|value| (value + 32) >> 6);
        let low: [i32; UNIT] = std::array::from_fn(|i| values[i] - (high[i] << 6));
        Self { high: split(high), low: split(low) }
    }

    #[inline(always)]
    fn dot(codes: &[Bytes], x: &[Self], signed: bool) -> i32x4 {
        let (mut high, mut low) = (i32x4::ZERO, i32x4::ZERO);
        for i in 0..codes.len() {
            let [even, odd] = even_and_odd(codes[i], signed);
            let products = |part: [i16x8; 2]| even.dot(part[0]) + odd.dot(part[1]);
            high = if i == 0 { products(x[i].high) } else { high + products(x[i].high) };
            low = if i == 0 { products(x[i].low) } else { low + products(x[i].low) };
        }
        (high << 6u32) + low
    }
}

/// A value of 8 bits, whose lanes lie like those of [`Halves`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Half([i16x8; 2]);

impl Parts for Half {
    #[inline(always)]
    fn largest(_: bool) -> i32 {
        127
    }

    #[inline(always)]
    fn of(values: [i32; UNIT], _: bool) -> Self {
        Self(split(values))
    }

    #[inline(always)]
    fn dot(codes: &[Bytes], x: &[Self], signed: bool) -> i32x4 {
        let mut sum = i32x4::ZERO;
        for i in 0..codes.len() {
            let [even, odd] = even_and_odd(codes[i], signed);
            let products = even.dot(x[i].0[0]) + odd.dot(x[i].0[1]);
            sum = if i == 0 { products } else { sum + products };
        }
        sum
    }
}

/// Values as lanes, the even ones first.
#[inline(always)]
fn split(values: [i32; UNIT]) -> [i16x8; 2] {
    [0, 1].map(|odd| i16x8::new(std::array::from_fn(|i| values[2 * i + odd] as i16)))
}

/// Bytes as lanes, the even ones first.
#[inline(always)]
fn even_and_odd(codes: Bytes, signed: bool) -> [i16x8; 2] {
    let lanes = lanes_of(codes);
    match signed {
        true => [lanes_of(codes << 8u32) >> 8u32, lanes >> 8u32],
        false => [lanes_of(codes & 255), lanes_of(codes >> 8u32)],
    }
}

#[inline(always)]
fn lanes_of(bytes: Bytes) -> i16x8 {
    bytemuck::cast(bytes)
}
