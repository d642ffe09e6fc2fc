//! Q1_0: 128 values, one f16 scale, and a bit each: set is plus, clear is minus.

use wide::u16x8;

use super::codes::{Codes, Sink};
use super::unpack::{widen, with_bits};
use super::{Plane, u16_at};

coded! {
    "formats/q1_0.wgsl";
    name: "Q1_0",
    type_id: 41,
    block_len: 128,
    block_bytes: 18,
    planes: &[
        Plane { name: "signs", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &[],
}

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 128;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const ZERO: i16 = 1;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (scales, d) in scales.as_chunks_mut::<4>().0.iter_mut().zip(&row[1].as_chunks::<2>().0[first..]) {
            *scales = [widen(u16::from_le_bytes(*d)); 4];
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        to.unit(0, with_bits(u16x8::ZERO, u16_at(row[0], run * 4), 2));
        to.unit(1, with_bits(u16x8::ZERO, u16_at(row[0], run * 4 + 2), 2));
    }
}
