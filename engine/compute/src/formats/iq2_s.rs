//! IQ2_S: 256 values in sixteen groups of 16, each with a 4-bit scale, scaled by one f16. Eight values have ten bits
//! that choose eight magnitudes from a codebook (a byte, and two bits elsewhere) and a byte of signs.

use super::codes::{Codes, Sink};
use super::grids::iq2_s::GRID;
use super::unpack::{grouped, quarters, signed_bytes, spell};
use super::{Plane, u16_at};

coded! {
    "formats/iq2_s.wgsl";
    name: "IQ2_S",
    type_id: 22,
    block_len: 256,
    block_bytes: 82,
    planes: &[
        Plane { name: "low bits and signs", block_bytes: 64, align_bytes: 4 },
        Plane { name: "high bits and group scales", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &GRID,
}

fn fields(block: &[u8]) -> [&[u8]; 3] {
    [&block[2..66], &block[66..], &block[..2]]
}

static MAGNITUDES: [[i8; 8]; 1024] = spell(&GRID, 2, &[8, 25, 43]);

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 16;
    const RUN: usize = 32;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        grouped(scales, row[1], row[2], first, |heads: &[u8; 16], d| quarters(&heads[8..], d));
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let (block, group) = (run / 8, run % 8);
        let (low, signs) = row[0][block * 64..][..64].split_at(32);
        let high = row[1][block * 16 + group];
        for i in 0..2 {
            let u = 2 * group + i;
            let words = [0, 1].map(|j| {
                MAGNITUDES[usize::from(low[2 * u + j]) | usize::from(high >> (4 * i + 2 * j) & 3) << 8]
            });
            to.unit(i, signed_bytes(&words, u16_at(signs, 2 * u)));
        }
    }
}
