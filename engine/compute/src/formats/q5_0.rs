//! Q5_0: 32 values, one f16 scale, 5-bit codes minus 16. Low nibbles are values 0..16, high nibbles 16..32; the fifth
//! bit of value `i` is bit `i` of a word.

use super::Plane;
use super::codes::{Codes, Sink};
use super::unpack::{halves, with_fifth_bits};

coded! {
    "formats/q5_0.wgsl";
    name: "Q5_0",
    type_id: 6,
    block_len: 32,
    block_bytes: 22,
    planes: &[
        Plane { name: "low bits", block_bytes: 16, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 4, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &[],
}

fn fields(block: &[u8]) -> [&[u8]; 3] {
    [&block[6..], &block[2..6], &block[..2]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 32;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const ZERO: i16 = 16;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        halves(&row[2][first * 2..], scales);
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let [first, second] = with_fifth_bits(row[0], row[1], run);
        to.unit(0, first);
        to.unit(1, second);
    }
}
