//! Q4_K: 256 values in eight groups of 32, each with a 6-bit scale and a 6-bit minimum, scaled by two f16.
//! Byte `32 j + i` of the codes holds value `i` of group `2 j` (low nibble) and of group `2 j + 1` (high nibble).

use super::codes::{Codes, Sink};
use super::unpack::{bits, lanes};
use super::{Plane, scale_mins};

coded! {
    "formats/q4_k.wgsl";
    name: "Q4_K",
    type_id: 12,
    block_len: 256,
    block_bytes: 144,
    planes: &[
        Plane { name: "codes", block_bytes: 128, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 16, align_bytes: 16 },
    ],
    codebook: &[],
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;
    const RUN: usize = 64;
    const MINS: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], mins: &mut [f32]) {
        scale_mins(&row[1][first * 16..], scales, mins);
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let codes = [0, 1].map(|i| lanes(row[0], run * 2 + i));
        to.unit(0, bits(codes[0], 0, 15, 0));
        to.unit(1, bits(codes[1], 0, 15, 0));
        to.unit(2, bits(codes[0], 4, 15, 0));
        to.unit(3, bits(codes[1], 4, 15, 0));
    }
}

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[16..], &block[..16]]
}
