//! Q2_0: 64 values, one f16 scale, 2-bit codes minus 1 in the order of the values.

use super::Plane;
use super::codes::{Codes, Sink};
use super::unpack::{spread2, widen};

coded! {
    "formats/q2_0.wgsl";
    name: "Q2_0",
    type_id: 42,
    block_len: 64,
    block_bytes: 18,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &[],
}

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 64;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const ZERO: i16 = 1;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (scales, d) in scales.as_chunks_mut::<2>().0.iter_mut().zip(&row[1].as_chunks::<2>().0[first..]) {
            *scales = [widen(u16::from_le_bytes(*d)); 2];
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        to.unit(0, spread2(row[0].as_chunks::<4>().0[run * 2]));
        to.unit(1, spread2(row[0].as_chunks::<4>().0[run * 2 + 1]));
    }
}
