//! Q8_0: 32 values, one f16 scale, signed bytes.

use super::Plane;
use super::codes::{Codes, Sink};
use super::unpack::{halves, lanes};

coded! {
    "formats/q8_0.wgsl";
    name: "Q8_0",
    type_id: 8,
    block_len: 32,
    block_bytes: 34,
    planes: &[
        Plane { name: "codes", block_bytes: 32, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &[],
}

struct Block;

impl Codes for Block {
    const LEN: usize = 32;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        halves(&row[1][first * 2..], scales);
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        to.unit(0, lanes(row[0], 2 * run));
        to.unit(1, lanes(row[0], 2 * run + 1));
    }
}

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
}
