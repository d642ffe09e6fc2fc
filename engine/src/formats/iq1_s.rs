//! IQ1_S: 256 values in eight groups of 32, one f16 scale. Eight values have eleven bits that choose -1, 0 or 1 for
//! each from a codebook: a byte, and three bits of the group's 16. Those hold also a 3-bit scale and whether an eighth
//! is added or taken away.

use super::codes::{Codes, Pair, decode16, spread2};
use super::grids::iq1::GRID;
use super::{Format, Plane, Rows, copy, decode_units, f16_at, u16_at};

pub static FORMAT: Format = Format {
    name: "IQ1_S",
    type_id: 19,
    block_len: 256,
    block_bytes: 50,
    planes: &[
        Plane { name: "low bits", block_bytes: 32, align_bytes: 4 },
        Plane { name: "high bits, group scales, shifts", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16::<Block>, out),
    decode16: decode16::<Block>,
    rows: Rows::of::<Block>(),
    codebook: &GRID,
    wgsl: include_str!("iq1_s.wgsl"),
    wgsl_path: "formats/iq1_s.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[2..34], &block[34..], &block[..2]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (i, scales) in scales.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let d = f16_at(row[2], (first + i) * 2) * 0.125;
            let heads = &row[1][(first + i) * 16..][..16];
            *scales = std::array::from_fn(|g| d * f32::from(2 * (heads[2 * g + 1] >> 4 & 7) + 1));
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], block: usize, mut unit: impl FnMut(usize, Pair)) {
        let low = row[0].as_chunks::<32>().0[block];
        let heads = row[1].as_chunks::<16>().0[block];
        for u in 0..16 {
            let head = u16_at(&heads, u / 2 * 2);
            // In eighths.
            let zero = if head >> 15 == 0 { 7 } else { 9 };
            let words = [0, 1].map(|i| {
                let high = head >> (3 * (u % 2 * 2 + i)) & 7;
                GRID[usize::from(u16::from(low[2 * u + i]) | high << 8)]
            });
            unit(u, spread2(words).map(|index| (index << 3u32) - zero));
        }
    }
}
