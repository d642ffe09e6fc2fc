//! IQ1_M: 256 values in sixteen groups of 16, each with a 3-bit scale, four of them in 16 bits, whose top nibbles
//! together are an f16 scale. Eight values have eleven bits that choose -1, 0 or 1 for each from a codebook, a byte and
//! three bits of a nibble, whose fourth bit says whether an eighth is added or taken away.

use super::grids::iq1::GRID;
use super::{Format, Plane, copy, decode_units, f16_at, u16_at};

pub static FORMAT: Format = Format {
    name: "IQ1_M",
    type_id: 29,
    block_len: 256,
    block_bytes: 56,
    planes: &[
        Plane { name: "low bits", block_bytes: 32, align_bytes: 4 },
        Plane { name: "high bits and shifts", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 8, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &GRID,
    wgsl: include_str!("iq1_m.wgsl"),
    wgsl_path: "formats/iq1_m.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[..32], &block[32..48], &block[48..]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let scales = &row[2][unit / 16 * 8..][..8];
    let nibbles: [u8; 4] = std::array::from_fn(|i| scales[2 * i + 1] >> 4);
    let scale = f16_at(&[nibbles[0] | nibbles[1] << 4, nibbles[2] | nibbles[3] << 4], 0);
    let within = unit % 16;
    let d = scale * f32::from(2 * (u16_at(scales, within / 4 * 2) >> (within % 4 * 3) & 7) + 1);
    std::array::from_fn(|i| {
        let low = usize::from(row[0][unit * 2 + i / 8]);
        let high = usize::from(row[1][unit] >> (i / 8 * 4));
        let index = GRID[low | (high & 7) << 8] >> (i % 8 * 2) & 3;
        let shift = if high & 8 == 0 { 0.125 } else { -0.125 };
        d * (f32::from(index) - 1.0 + shift)
    })
}
