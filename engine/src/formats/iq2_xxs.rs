//! IQ2_XXS: 256 values in eight groups of 32, one f16 scale. A group is two words: four bytes that choose eight
//! magnitudes each from a codebook, then four times seven signs and a 4-bit scale. The eighth sign makes the number of
//! minus signs even.

use super::grids::iq2_xxs::GRID;
use super::{Format, Plane, copy, decode_units, even_signs, f16_at, magnitude2, signed, u32_at};

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
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &GRID,
    wgsl: include_str!("iq2_xxs.wgsl"),
    wgsl_path: "formats/iq2_xxs.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (group, odd) = (&row[0][unit / 2 * 8..][..8], unit % 2);
    let word = u32_at(group, 4);
    let d = f16_at(row[1], unit / 16 * 2) * (0.5 + (word >> 28) as f32) * 0.25;
    std::array::from_fn(|i| {
        let part = 2 * odd + i / 8;
        let magnitude = magnitude2(GRID[usize::from(group[part])], i % 8);
        signed(d * magnitude, even_signs(word >> (7 * part)), i % 8)
    })
}
