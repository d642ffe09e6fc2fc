//! Q5_1: 32 values, an f16 scale and an f16 minimum, 5-bit codes. Low nibbles are values 0..16, high nibbles 16..32;
//! the fifth bit of value `i` is bit `i` of a word.

use super::Plane;
use super::codes::{Codes, Sink};
use super::unpack::{pairs_of_halves, with_fifth_bits};

coded! {
    "formats/q5_1.wgsl";
    name: "Q5_1",
    type_id: 7,
    block_len: 32,
    block_bytes: 24,
    planes: &[
        Plane { name: "low bits", block_bytes: 16, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 4, align_bytes: 4 },
        Plane { name: "scales and minima", block_bytes: 4, align_bytes: 4 },
    ],
    codebook: &[],
}

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
        let [first, second] = with_fifth_bits(row[0], row[1], run);
        to.unit(0, first);
        to.unit(1, second);
    }
}
