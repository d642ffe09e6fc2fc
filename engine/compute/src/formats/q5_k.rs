//! Q5_K: 256 values in eight groups of 32, each with a 6-bit scale and a 6-bit minimum, scaled by two f16.
//! Byte `32 j + i` of the low bits holds value `i` of group `2 j` (low nibble) and of group `2 j + 1` (high nibble);
//! the fifth bit of value `i` of group `g` is bit `g` of high byte `i`.

use super::codes::{Codes, Sink};
use super::unpack::{bits, lanes};
use super::{Plane, scale_mins};

coded! {
    "formats/q5_k.wgsl";
    name: "Q5_K",
    type_id: 13,
    block_len: 256,
    block_bytes: 176,
    planes: &[
        Plane { name: "low bits", block_bytes: 128, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 32, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 16, align_bytes: 16 },
    ],
    codebook: &[],
}

fn fields(block: &[u8]) -> [&[u8]; 3] {
    [&block[48..], &block[16..48], &block[..16]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;
    const RUN: usize = 64;
    const MINS: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], mins: &mut [f32]) {
        scale_mins(&row[2][first * 16..], scales, mins);
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let low = [0, 1].map(|i| lanes(row[0], run * 2 + i));
        let high = [0, 1].map(|i| lanes(row[1], run / 4 * 2 + i) >> (run % 4 * 2) as u32);
        to.unit(0, bits(low[0], 0, 15, 0) | bits(high[0], 0, 1, 4));
        to.unit(1, bits(low[1], 0, 15, 0) | bits(high[1], 0, 1, 4));
        to.unit(2, bits(low[0], 4, 15, 0) | bits(high[0], 1, 1, 4));
        to.unit(3, bits(low[1], 4, 15, 0) | bits(high[1], 1, 1, 4));
    }
}
