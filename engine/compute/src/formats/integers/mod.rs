//! Inputs of products as integers, so that products with codes are exact sums of integers, the same on every machine.
//!
//! An exact value has 21 or 22 bits, which no multiplication of vectors takes at once: it is cut into parts. How depends on the
//! instructions there are. A fast value has 8 bits.

use wide::i32x4;

use crate::formats::planes::UNIT;
use crate::simd::Bytes;

#[cfg(any(test, target_feature = "relaxed-simd"))]
mod digits;
#[cfg(any(test, not(target_feature = "relaxed-simd")))]
mod halves;

#[cfg(target_feature = "relaxed-simd")]
pub use digits::{Digit as Small, Digits as Integers};
#[cfg(not(target_feature = "relaxed-simd"))]
pub use halves::{Half as Small, Halves as Integers};

/// Sixteen values in parts.
pub trait Parts: Copy + Default {
    /// The largest value. Where a value has 21 or 22 bits, the error of what is rounded is below a millionth of the largest of
    /// its group, which is no less exact than f32.
    fn largest(signed: bool) -> i32;

    /// Cuts values.
    fn of(values: [i32; UNIT], signed: bool) -> Self;

    /// The products of codes with values, in lane `i` of a vector those of values `4 i..4 i + 4`: up to two units, whose codes
    /// are bytes, signed or below 128.
    fn dot(codes: &[Bytes], x: &[Self], signed: bool) -> i32x4;
}

#[cfg(test)]
mod tests {
    use super::Parts;
    use super::digits::{Digit, Digits};
    use super::halves::{Half, Halves};

    /// Products of the largest and of other values with the largest and other codes, against integers of 64 bits.
    fn agrees<P: Parts>() {
        for signed in [false, true] {
            let largest = P::largest(signed);
            for case in 0..64i32 {
                let value = |i: i32| match case {
                    0 => largest,
                    1 => -largest,
                    _ => (i * 7919 + case * 104_729).wrapping_mul(2_654_435) % (largest + 1),
                };
                let code = |i: i32| match (case % 3, signed) {
                    (0, true) => -128,
                    (0, false) => 63,
                    (_, true) => (i * 37 + case) % 256 - 128,
                    (_, false) => (i * 37 + case) % 64,
                };
                let units = [0, 1].map(|u| std::array::from_fn(|i| value(16 * u + i as i32)));
                let codes: [[u8; 16]; 2] =
                    [0, 1].map(|u| std::array::from_fn(|i| code(16 * u + i as i32) as u8));
                let x = units.map(|values| P::of(values, signed));
                let lanes = P::dot(&codes.map(bytemuck::cast), &x, signed).to_array();
                let product = |i: i32| i64::from(value(i)) * i64::from(code(i));
                let of_lane =
                    |lane: i32| (0..4).map(|i| 4 * lane + i).map(|i| product(i) + product(16 + i)).sum();
                let expected: [i64; 4] = [0, 1, 2, 3].map(of_lane);
                assert_eq!(lanes.map(i64::from), expected, "case {case}, signed: {signed}");
            }
        }
    }

    #[test]
    fn halves() {
        agrees::<Halves>();
    }

    #[test]
    fn digits() {
        agrees::<Digits>();
    }

    #[test]
    fn of_eight_bits() {
        agrees::<Half>();
        agrees::<Digit>();
    }
}
