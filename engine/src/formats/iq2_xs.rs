//! IQ2_XS: 256 values in sixteen groups of 16, each with a 4-bit scale, scaled by one f16. Eight values are 16 bits:
//! nine choose eight magnitudes from a codebook, seven are signs; the eighth sign makes the number of minus signs even.

use super::grids::iq2_xs::GRID;
use super::{Format, Plane, copy, decode_units, even_signs, f16_at, magnitude2, signed, u16_at};

pub static FORMAT: Format = Format {
    name: "IQ2_XS",
    type_id: 17,
    block_len: 256,
    block_bytes: 74,
    planes: &[
        Plane { name: "codes and signs", block_bytes: 64, align_bytes: 4 },
        Plane { name: "group scales", block_bytes: 8, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &GRID,
    wgsl: include_str!("iq2_xs.wgsl"),
    wgsl_path: "formats/iq2_xs.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[2..66], &block[66..], &block[..2]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let scale = row[1][unit / 2] >> (4 * (unit % 2)) & 15;
    let d = f16_at(row[2], unit / 16 * 2) * (0.5 + f32::from(scale)) * 0.25;
    std::array::from_fn(|i| {
        let code = u16_at(row[0], unit * 4 + i / 8 * 2);
        let magnitude = magnitude2(GRID[usize::from(code & 511)], i % 8);
        signed(d * magnitude, even_signs(u32::from(code >> 9)), i % 8)
    })
}
