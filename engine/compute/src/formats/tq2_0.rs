//! TQ2_0: 256 values of -1, 0, 1 (or 2) and one f16 scale, as 2-bit codes minus 1. Each half of 128 values: value
//! `32 j + i` takes two bits, `2 j` up, from byte `i` of its 32 bytes.

use super::Plane;
use super::codes::{Codes, Sink};
use super::unpack::{bits, lanes, widen};

coded! {
    "formats/tq2_0.wgsl";
    name: "TQ2_0",
    type_id: 35,
    block_len: 256,
    block_bytes: 66,
    planes: &[
        Plane { name: "codes", block_bytes: 64, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &[],
}

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[..64], &block[64..]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const ZERO: i16 = 1;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (scales, d) in scales.as_chunks_mut::<8>().0.iter_mut().zip(&row[1].as_chunks::<2>().0[first..]) {
            *scales = [widen(u16::from_le_bytes(*d)); 8];
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let (half, j) = (run / 4, run % 4);
        for i in 0..2 {
            to.unit(i, bits(lanes(row[0], half * 2 + i) >> (2 * j) as u32, 0, 3, 0));
        }
    }
}
