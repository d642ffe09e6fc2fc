//! IQ2_S: 256 values in sixteen groups of 16, each with a 4-bit scale, scaled by one f16. Eight values have ten bits
//! that choose eight magnitudes from a codebook (a byte, and two bits elsewhere) and a byte of signs.

use super::grids::iq2_s::GRID;
use super::{Format, Plane, copy, decode_units, f16_at, magnitude2, signed};

pub static FORMAT: Format = Format {
    name: "IQ2_S",
    type_id: 22,
    block_len: 256,
    block_bytes: 82,
    planes: &[
        Plane { name: "low bits and signs", block_bytes: 64, align_bytes: 4 },
        Plane { name: "high bits and group scales", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &GRID,
    wgsl: include_str!("iq2_s.wgsl"),
    wgsl_path: "formats/iq2_s.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[2..66], &block[66..], &block[..2]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, within) = (unit / 16, unit % 16);
    let (low, signs) = row[0][block * 64..][..64].split_at(32);
    let (high, scales) = row[1][block * 16..][..16].split_at(8);
    let scale = scales[within / 2] >> (4 * (within % 2)) & 15;
    let d = f16_at(row[2], block * 2) * (0.5 + f32::from(scale)) * 0.25;
    std::array::from_fn(|i| {
        let part = 2 * within + i / 8;
        let code = u16::from(low[part]) | u16::from(high[part / 4] >> (part % 4 * 2) & 3) << 8;
        signed(d * magnitude2(GRID[usize::from(code)], i % 8), signs[part], i % 8)
    })
}
