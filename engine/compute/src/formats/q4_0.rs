//! Q4_0: 32 values, one f16 scale, 4-bit codes minus 8. Low nibbles are values 0..16, high nibbles 16..32.

use super::Plane;
use super::codes::{Codes, Sink};
use super::unpack::{halves, nibbles};

coded! {
    "formats/q4_0.wgsl";
    name: "Q4_0",
    type_id: 2,
    block_len: 32,
    block_bytes: 18,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &[],
}

struct Block;

impl Codes for Block {
    const LEN: usize = 32;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const ZERO: i16 = 8;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        halves(&row[1][first * 2..], scales);
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let [first, second] = nibbles(row[0], run);
        to.unit(0, first);
        to.unit(1, second);
    }
}

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
}
