//! IQ3_XXS: 256 values in eight groups of 32, one f16 scale. A group has eight bytes, each of which chooses four
//! magnitudes from a codebook, and a word of four times seven signs and a 4-bit scale. The eighth sign makes the number
//! of minus signs even.

use super::grids::iq3_xxs::GRID;
use super::{Format, Plane, copy, decode_units, even_signs, f16_at, signed, u32_at};

pub static FORMAT: Format = Format {
    name: "IQ3_XXS",
    type_id: 18,
    block_len: 256,
    block_bytes: 98,
    planes: &[
        Plane { name: "codes", block_bytes: 64, align_bytes: 4 },
        Plane { name: "signs and group scales", block_bytes: 32, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &GRID,
    wgsl: include_str!("iq3_xxs.wgsl"),
    wgsl_path: "formats/iq3_xxs.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[2..66], &block[66..], &block[..2]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let codes = &row[0][unit * 4..][..4];
    let word = u32_at(row[1], unit / 2 * 4);
    let d = f16_at(row[2], unit / 16 * 2) * (0.5 + (word >> 28) as f32) * 0.5;
    std::array::from_fn(|i| {
        let index = GRID[usize::from(codes[i / 4])] >> (i % 4 * 4) & 15;
        let magnitude = f32::from(4 + 8 * index + index / 7 * 2);
        signed(d * magnitude, even_signs(word >> (7 * (unit % 2 * 2 + i / 8))), i % 8)
    })
}
