//! Q5_1: 32 values, an f16 scale and an f16 minimum, 5-bit codes. Low nibbles are values 0..16, high nibbles 16..32;
//! the fifth bit of value `i` is bit `i` of a word.

use super::codes::{Codes, Sink, decode16};
use super::unpack::{lanes, pairs_of_halves, with_bits};
use super::{Format, Plane, Rows, copy, decode_units};

pub static FORMAT: Format = Format {
    name: "Q5_1",
    type_id: 7,
    block_len: 32,
    block_bytes: 24,
    planes: &[
        Plane { name: "low bits", block_bytes: 16, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 4, align_bytes: 4 },
        Plane { name: "scales and minima", block_bytes: 4, align_bytes: 4 },
    ],
    split: |block, planes| copy(&fields(block), planes),
    decode: |block, out| decode_units(&fields(block), decode16::<Block>, out),
    decode16: decode16::<Block>,
    rows: Rows::of::<Block>(),
    codebook: &[],
    wgsl: crate::bare!("formats/q5_1.wgsl"),
    wgsl_path: "formats/q5_1.wgsl",
};

fn fields(block: &[u8]) -> [&[u8]; 3] {
    [&block[8..], &block[4..8], &block[..4]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 32;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const MINS: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], mins: &mut [f32]) {
        pairs_of_halves(&row[2][first * 4..], scales, mins);
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let low = lanes(row[0], run);
        let high = row[1].as_chunks::<4>().0[run];
        to.unit(0, with_bits(low & 0x0f0f, u16::from_le_bytes([high[0], high[1]]), 16));
        to.unit(1, with_bits(low >> 4u32 & 0x0f0f, u16::from_le_bytes([high[2], high[3]]), 16));
    }
}
