//! IQ1_S: 256 values in eight groups of 32, one f16 scale. Eight values have eleven bits that choose -1, 0 or 1 for
//! each from a codebook: a byte, and three bits of the group's 16. Those hold also a 3-bit scale and whether an eighth
//! is added or taken away.

use super::codes::{Codes, Sink};
use super::grids::iq1::{EIGHTHS, GRID};
use super::unpack::{less, signed_bytes};
use super::{Plane, f16_at, u16_at};

coded! {
    "formats/iq1_s.wgsl";
    name: "IQ1_S",
    type_id: 19,
    block_len: 256,
    block_bytes: 50,
    planes: &[
        Plane { name: "low bits", block_bytes: 32, align_bytes: 4 },
        Plane { name: "high bits, group scales, shifts", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &GRID,
}

fn fields(block: &[u8]) -> [&[u8]; 3] {
    [&block[2..34], &block[34..], &block[..2]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (i, scales) in scales.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let d = f16_at(row[2], (first + i) * 2) * 0.125;
            let heads = &row[1][(first + i) * 16..][..16];
            *scales = std::array::from_fn(|g| d * f32::from(2 * (heads[2 * g + 1] >> 4 & 7) + 1));
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let low = row[0].as_chunks::<4>().0[run];
        let head = u16_at(row[1], run * 2);
        let zero = if head >> 15 == 0 { 7 } else { 9 };
        for i in 0..2 {
            let words = [2 * i, 2 * i + 1]
                .map(|part| EIGHTHS[usize::from(u16::from(low[part]) | (head >> (3 * part) & 7) << 8)]);
            to.unit(i, less(signed_bytes(&words, 0), [zero; 2]));
        }
    }
}
