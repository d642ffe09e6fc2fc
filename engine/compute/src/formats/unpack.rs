//! Codes and scales out of the bytes of planes, sixteen at a time.

use wide::{f32x4, i8x16, u16x8, u32x4};

use super::planes::UNIT;
use crate::simd::{self, Bytes, extended, widened};

/// 16 bytes of a plane.
#[inline(always)]
pub fn lanes(plane: &[u8], index: usize) -> Bytes {
    bytemuck::cast(plane.as_chunks::<16>().0[index])
}

/// 16 bytes of a plane as the codes of 32 values: their low halves, then their high ones.
#[inline(always)]
pub fn nibbles(plane: &[u8], index: usize) -> [Bytes; 2] {
    let bytes = lanes(plane, index);
    [bytes & 0x0f0f, bytes >> 4u32 & 0x0f0f]
}

/// The same with a fifth bit each: bit `i` of a word is that of value `i`.
#[inline(always)]
pub fn with_fifth_bits(low: &[u8], high: &[u8], index: usize) -> [Bytes; 2] {
    let ([first, second], high) = (nibbles(low, index), high.as_chunks::<4>().0[index]);
    [
        with_bits(first, u16::from_le_bytes([high[0], high[1]]), 16),
        with_bits(second, u16::from_le_bytes([high[2], high[3]]), 16),
    ]
}

/// `mask` bits from bit `from` of every byte, moved up by `to`.
#[inline(always)]
pub fn bits(bytes: Bytes, from: usize, mask: u8, to: usize) -> Bytes {
    let moved = if from >= to { bytes >> (from - to) as u32 } else { bytes << (to - from) as u32 };
    moved & every(mask << to)
}

/// The same byte sixteen times.
#[inline(always)]
pub fn every(byte: u8) -> Bytes {
    u16x8::splat(u16::from_le_bytes([byte; 2]))
}

/// The entries of a table of 16 signed bytes that `bytes`, each below 16, point to.
#[inline(always)]
pub fn lookup(table: [i8; 16], bytes: Bytes) -> Bytes {
    let table = i8x16::new(table);
    bytemuck::cast(table.shuffle_zeroing(bytemuck::cast(bytes)))
}

/// 255 for every bit that is set, 0 for the others.
static MASKS: [[u8; 8]; 256] = {
    let mut all = [[0; 8]; 256];
    let mut i = 0;
    while i < 256 * 8 {
        all[i / 8][i % 8] = if (i / 8) >> (i % 8) & 1 == 1 { 255 } else { 0 };
        i += 1;
    }
    all
};

/// Masks of sixteen values, as bytes.
#[inline(always)]
fn masks(word: u16) -> u16x8 {
    bytemuck::cast(word.to_le_bytes().map(|byte| MASKS[usize::from(byte)]))
}

/// Bytes, to each of which `bit` is added where its bit of `word` is set.
#[inline(always)]
pub fn with_bits(bytes: Bytes, word: u16, bit: u8) -> Bytes {
    bytes | masks(word) & every(bit)
}

/// Two bits a value.
#[inline(always)]
pub fn spread2(bytes: [u8; 4]) -> Bytes {
    // Every byte in the lane of the four values that it holds.
    let lanes = u32x4::new(bytes.map(u32::from));
    let spread = lanes | lanes << 6u32 | lanes << 12u32 | lanes << 18u32;
    bytemuck::cast(spread & u32x4::splat(0x0303_0303))
}

/// Sixteen signed bytes, of which those are negated whose bit of `signs` is set.
#[inline(always)]
pub fn signed_bytes<const V: usize, const W: usize>(words: &[[i8; V]; W], signs: u16) -> Bytes {
    let mut all = [0i8; UNIT];
    all.copy_from_slice(words.as_flattened());
    let (all, masks): (i8x16, i8x16) = (i8x16::new(all), bytemuck::cast(masks(signs)));
    bytemuck::cast((all ^ masks) - masks)
}

/// Signed bytes minus one number for the first eight, one for the others.
#[inline(always)]
pub fn less(bytes: Bytes, numbers: [i8; 2]) -> Bytes {
    let bytes: i8x16 = bytemuck::cast(bytes);
    bytemuck::cast(bytes - i8x16::new(std::array::from_fn(|i| numbers[i / 8])))
}

/// The values that the codewords of a codebook stand for, where a value has `bits` bits.
pub const fn spell<const N: usize, const V: usize>(
    grid: &[u16; N],
    bits: usize,
    values: &[i8],
) -> [[i8; V]; N] {
    let mut all = [[0; V]; N];
    let mut i = 0;
    while i < N * V {
        let index = grid[i / V] as usize >> (i % V * bits) & ((1 << bits) - 1);
        all[i / V][i % V] = values[index];
        i += 1;
    }
    all
}

/// Sixteen bytes minus `zero` as f32, the first eight times one factor, the others times another.
#[inline(always)]
pub fn floats(bytes: [u8; 16], zero: i16, factors: [f32; 2]) -> [f32; 16] {
    let [first, second] = widened(bytemuck::cast(bytes), false);
    let ([a, b], [c, d]) = (simd::floats(first - zero), simd::floats(second - zero));
    let [f, g] = factors.map(f32x4::splat);
    bytemuck::cast([a * f, b * f, c * g, d * g])
}

/// f16 values.
#[inline(always)]
pub fn halves(bytes: &[u8], out: &mut [f32]) {
    for (out, half) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
        *out = widen(u16::from_le_bytes(*half));
    }
}

/// Scales of blocks with sixteen groups: an f16 of a block times what `of_groups` reads from its bytes for the groups.
#[inline(always)]
pub fn grouped<const N: usize>(
    scales: &mut [f32],
    groups: &[u8],
    halves: &[u8],
    first: usize,
    of_groups: impl Fn(&[u8; N], f32) -> [f32; 16],
) {
    let heads = groups.as_chunks::<N>().0[first..].iter().zip(&halves.as_chunks::<2>().0[first..]);
    for (scales, (groups, half)) in scales.as_chunks_mut::<16>().0.iter_mut().zip(heads) {
        *scales = of_groups(groups, widen(u16::from_le_bytes(*half)));
    }
}

/// Sixteen 4-bit scales of IQ2: each and a half, over four.
#[inline(always)]
pub fn quarters(nibbles: &[u8], d: f32) -> [f32; 16] {
    std::array::from_fn(|g| d * (0.5 + f32::from(nibbles[g / 2] >> (g % 2 * 4) & 15)) * 0.25)
}

/// Pairs of f16: a scale, and what is added.
#[inline(always)]
pub fn pairs_of_halves(bytes: &[u8], scales: &mut [f32], mins: &mut [f32]) {
    for ((scale, min), pair) in scales.iter_mut().zip(mins).zip(bytes.as_chunks::<4>().0) {
        *scale = widen(u16::from_le_bytes([pair[0], pair[1]]));
        *min = -widen(u16::from_le_bytes([pair[2], pair[3]]));
    }
}

/// From the exponents of halves to those of floats.
const FACTOR: f32 = f32::from_bits((127 + 112) << 23);

/// An f16 as f32, without branches: what is subnormal among halves is so among floats as well until the product, which is
/// exact; infinity and NaN come out as numbers that no half is.
#[inline(always)]
pub fn widen(half: u16) -> f32 {
    // The sign goes from bit 15 to all above it.
    let bits = (i32::from(half as i16) << 13) as u32 & 0x8fff_e000;
    let value = f32::from_bits(bits) * FACTOR;
    f32::from_bits(if value.abs() < 65536.0 { value.to_bits() } else { value.to_bits() | 0x7f80_0000 })
}

/// Eight f16 as f32, where they are finite.
#[inline(always)]
pub fn widened_halves(halves: u16x8) -> [f32x4; 2] {
    let factor = f32x4::splat(FACTOR);
    extended(bytemuck::cast(halves)).map(|half| {
        let bits: u32x4 = bytemuck::cast(half << 13u32);
        let value: f32x4 = bytemuck::cast(bits & u32x4::splat(0x8fff_e000));
        value * factor
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_half_is_widened_exactly() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (super::widen(bits), half::f16::from_bits(bits).to_f32());
            assert!(
                ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(),
                "{bits:#06x}: {ours}"
            );
        }
    }
}
