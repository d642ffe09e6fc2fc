//! Q4_1: 32 values, an f16 scale and an f16 minimum, 4-bit codes. Low nibbles are values 0..16, high nibbles 16..32.

use super::Plane;
use super::codes::{Codes, Sink};
use super::unpack::{nibbles, pairs_of_halves};

coded! {
    "formats/q4_1.wgsl";
    name: "Q4_1",
    type_id: 3,
    block_len: 32,
    block_bytes: 20,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 16 },
        Plane { name: "scales and minima", block_bytes: 4, align_bytes: 4 },
    ],
    codebook: &[],
}

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
        let [first, second] = nibbles(row[0], run);
        to.unit(0, first);
        to.unit(1, second);
    }
}
