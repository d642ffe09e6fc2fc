//! TQ1_0: 256 values of -1, 0, 1 and one f16 scale. A byte holds five ternary digits as a fraction of 256: its product
//! with 3^n, modulo 256, times 3 is digit `n` above the byte. Bytes 0..32 hold values `32 n + i` in digit `n`, bytes
//! 32..48 values `160 + 16 n + i`, and the last four bytes, of four digits, values `240 + 4 n + i`.

use wide::u16x8;

use super::Plane;
use super::codes::{Codes, Sink};
use super::unpack::{lanes, widen};
use crate::simd::Bytes;

coded! {
    "formats/tq1_0.wgsl";
    name: "TQ1_0",
    type_id: 34,
    block_len: 256,
    block_bytes: 54,
    planes: &[
        Plane { name: "digits", block_bytes: 48, align_bytes: 16 },
        Plane { name: "last digits", block_bytes: 4, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &[],
}

const POWERS: [u16; 5] = [1, 3, 9, 27, 81];

fn fields(block: &[u8]) -> [&[u8]; 3] {
    [&block[..48], &block[48..52], &block[52..]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;
    const RUN: usize = 256;
    const ZERO: i16 = 1;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (scales, d) in scales.as_chunks_mut::<8>().0.iter_mut().zip(&row[2].as_chunks::<2>().0[first..]) {
            *scales = [widen(u16::from_le_bytes(*d)); 8];
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let digits: [_; 3] = std::array::from_fn(|i| lanes(row[0], run * 3 + i));
        for (n, power) in POWERS.iter().enumerate() {
            to.unit(2 * n, digit(digits[0], u16x8::splat(*power)));
            to.unit(2 * n + 1, digit(digits[1], u16x8::splat(*power)));
        }
        for (n, power) in POWERS.iter().enumerate() {
            to.unit(10 + n, digit(digits[2], u16x8::splat(*power)));
        }
        let last = row[1].as_chunks::<4>().0[run];
        let powers = u16x8::new(std::array::from_fn(|i| POWERS[i / 2]));
        to.unit(15, digit(bytemuck::cast([last; 4]), powers));
    }
}

/// The digit that a power brings to the top of every byte.
#[inline(always)]
fn digit(bytes: Bytes, powers: u16x8) -> Bytes {
    let [even, odd] = [bytes & 255, bytes >> 8u32].map(|byte| (((byte * powers) & 255) * 3) >> 8u32);
    even | odd << 8u32
}
