//! Q6_K: 256 values in sixteen groups of 16, each with a signed 8-bit scale, scaled by one f16; codes minus 32.
//! Each half of 128 values: value `32 j + i` takes four bits from byte `32 (j % 2) + i` of its 64 low bytes
//! (high nibble for j >= 2) and two bits, `2 j` up, from byte `i` of its 32 high bytes.

use super::Plane;
use super::codes::{Codes, Sink};
use super::unpack::{bits, floats, grouped, lanes};

coded! {
    "formats/q6_k.wgsl";
    name: "Q6_K",
    type_id: 14,
    block_len: 256,
    block_bytes: 210,
    planes: &[
        Plane { name: "low bits", block_bytes: 128, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 64, align_bytes: 16 },
        Plane { name: "group scales", block_bytes: 16, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &[],
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 16;
    const RUN: usize = 32;
    const ZERO: i16 = 32;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        let signed = |groups: &[u8; 16], d| floats(groups.map(|g| g ^ 128), 128, [d; 2]);
        grouped(scales, row[2], row[3], first, signed);
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let (half, j) = (run / 4, run % 4);
        for i in 0..2 {
            let low = lanes(row[0], half * 4 + j % 2 * 2 + i) >> (j / 2 * 4) as u32;
            let high = lanes(row[1], half * 2 + i) >> (2 * j) as u32;
            to.unit(i, bits(low, 0, 15, 0) | bits(high, 0, 3, 4));
        }
    }
}

fn fields(block: &[u8]) -> [&[u8]; 4] {
    [&block[..128], &block[128..192], &block[192..208], &block[208..]]
}
