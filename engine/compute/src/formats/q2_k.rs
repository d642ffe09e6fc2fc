//! Q2_K: 256 values in sixteen groups of 16, each with a 4-bit scale and a 4-bit minimum, scaled by two f16.
//! Each half of 128 values: value `32 j + i` takes two bits, `2 j` up, from byte `i` of its 32 bytes.

use super::Plane;
use super::codes::{Codes, Sink};
use super::unpack::{bits, floats, lanes, widen};

coded! {
    "formats/q2_k.wgsl";
    name: "Q2_K",
    type_id: 10,
    block_len: 256,
    block_bytes: 84,
    planes: &[
        Plane { name: "codes", block_bytes: 64, align_bytes: 16 },
        Plane { name: "group scales and minima", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales and minima", block_bytes: 4, align_bytes: 4 },
    ],
    codebook: &[],
}

fn fields(block: &[u8]) -> [&[u8]; 3] {
    [&block[16..80], &block[..16], &block[80..]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 16;
    const RUN: usize = 32;
    const MINS: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], mins: &mut [f32]) {
        let blocks = scales.as_chunks_mut::<16>().0.iter_mut().zip(mins.as_chunks_mut::<16>().0);
        let heads = row[1].as_chunks::<16>().0[first..].iter().zip(&row[2].as_chunks::<4>().0[first..]);
        for ((scales, mins), (groups, head)) in blocks.zip(heads) {
            let d = widen(u16::from_le_bytes([head[0], head[1]]));
            let m = widen(u16::from_le_bytes([head[2], head[3]]));
            *scales = floats(groups.map(|g| g & 15), 0, [d; 2]);
            *mins = floats(groups.map(|g| g >> 4), 0, [m; 2]);
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
