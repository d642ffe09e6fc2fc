//! IQ2_XXS: 256 values in eight groups of 32, one f16 scale. A group is two words: four bytes that choose eight
//! magnitudes each from a codebook, then four times seven signs and a 4-bit scale. The eighth sign makes the number of
//! minus signs even.

use super::codes::{Codes, Pair, decode16, magnitudes2, negate, spread2};
use super::grids::iq2_xxs::GRID;
use super::{Format, Plane, Rows, copy, decode_units, even_signs, f16_at, u32_at};

pub static FORMAT: Format = Format {
    name: "IQ2_XXS",
    type_id: 16,
    block_len: 256,
    block_bytes: 66,
    planes: &[
        Plane { name: "codes and signs", block_bytes: 64, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16::<Block>, out),
    decode16: decode16::<Block>,
    rows: Rows::of::<Block>(),
    codebook: &GRID,
    wgsl: include_str!("iq2_xxs.wgsl"),
    wgsl_path: "formats/iq2_xxs.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (i, scales) in scales.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let d = f16_at(row[1], (first + i) * 2);
            let groups = row[0].as_chunks::<64>().0[first + i];
            *scales = std::array::from_fn(|g| d * (0.5 + f32::from(groups[g * 8 + 7] >> 4)) * 0.25);
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], block: usize, mut unit: impl FnMut(usize, Pair)) {
        let groups = row[0].as_chunks::<64>().0[block];
        for u in 0..16 {
            let word = u32_at(&groups, u / 2 * 8 + 4);
            let parts = [u % 2 * 2, u % 2 * 2 + 1];
            let words = parts.map(|part| GRID[usize::from(groups[u / 2 * 8 + part])]);
            let signs = parts.map(|part| even_signs(word >> (7 * part)));
            unit(u, negate(magnitudes2(spread2(words)), u16::from_le_bytes(signs)));
        }
    }
}
