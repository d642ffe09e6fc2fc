//! IQ4_NL: 32 values, one f16 scale, 4-bit codes that point into a table of 16 bytes. Low nibbles are values 0..16,
//! high nibbles 16..32.

use super::codes::{Codes, Sink};
use super::unpack::{halves, lookup, nibbles};
use super::{NON_LINEAR, Plane};

coded! {
    "formats/iq4_nl.wgsl";
    name: "IQ4_NL",
    type_id: 20,
    block_len: 32,
    block_bytes: 18,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &[],
}

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
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
        for (unit, nibbles) in nibbles(row[0], run).into_iter().enumerate() {
            to.unit(unit, lookup(NON_LINEAR, nibbles));
        }
    }
}
