//! Q4_1: 32 values, an f16 scale and an f16 minimum, 4-bit codes. Low nibbles are values 0..16, high nibbles 16..32.

use super::codes::{Codes, Sink, decode16};
use super::unpack::{bits, lanes, pairs_of_halves};
use super::{Format, Plane, Rows, copy, decode_units};

pub static FORMAT: Format = Format {
    name: "Q4_1",
    type_id: 3,
    block_len: 32,
    block_bytes: 20,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 16 },
        Plane { name: "scales and minima", block_bytes: 4, align_bytes: 4 },
    ],
    split: |block, planes| copy(&fields(block), planes),
    decode: |block, out| decode_units(&fields(block), decode16::<Block>, out),
    decode16: decode16::<Block>,
    rows: Rows::of::<Block>(),
    codebook: &[],
    wgsl: crate::bare!("formats/q4_1.wgsl"),
    wgsl_path: "formats/q4_1.wgsl",
};

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[4..], &block[..4]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 32;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const MINS: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], mins: &mut [f32]) {
        pairs_of_halves(&row[1][first * 4..], scales, mins);
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let codes = lanes(row[0], run);
        to.unit(0, bits(codes, 0, 15, 0));
        to.unit(1, bits(codes, 4, 15, 0));
    }
}
