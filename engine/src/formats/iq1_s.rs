//! IQ1_S: 256 values in eight groups of 32, one f16 scale. Eight values have eleven bits that choose -1, 0 or 1 for
//! each from a codebook: a byte, and three bits of the group's 16. Those hold also a 3-bit scale and whether an eighth
//! is added or taken away.

use super::grids::iq1::GRID;
use super::{Format, Plane, copy, decode_units, f16_at, u16_at};

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
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &GRID,
    wgsl: include_str!("iq1_s.wgsl"),
    wgsl_path: "formats/iq1_s.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[2..34], &block[34..], &block[..2]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let head = u16_at(row[1], unit / 2 * 2);
    let d = f16_at(row[2], unit / 16 * 2) * f32::from(2 * (head >> 12 & 7) + 1);
    let shift = if head >> 15 == 0 { 0.125 } else { -0.125 };
    std::array::from_fn(|i| {
        let low = u16::from(row[0][unit * 2 + i / 8]);
        let high = head >> (3 * (unit % 2 * 2 + i / 8)) & 7;
        let index = GRID[usize::from(low | high << 8)] >> (i % 8 * 2) & 3;
        d * (f32::from(index) - 1.0 + shift)
    })
}
