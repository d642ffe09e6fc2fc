//! Q5_1: 32 values, an f16 scale and an f16 minimum, 5-bit codes. Low nibbles are values 0..16, high nibbles 16..32;
//! the fifth bit of value `i` is bit `i` of a word.

use super::{Format, Plane, copy, decode_units, f16_at, u32_at};

pub static FORMAT: Format = Format {
    name: "Q5_1",
    type_id: 7,
    block_len: 32,
    block_bytes: 24,
    planes: &[
        Plane { name: "low bits", block_bytes: 16, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 4, align_bytes: 4 },
        Plane { name: "scales and minima", block_bytes: 4, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("q5_1.wgsl"),
    wgsl_path: "formats/q5_1.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[8..], &block[4..8], &block[..4]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, odd) = (unit / 2, unit % 2);
    let low = &row[0][block * 16..][..16];
    let high = u32_at(row[1], block * 4) >> (16 * odd);
    let (d, m) = (f16_at(row[2], block * 4), f16_at(row[2], block * 4 + 2));
    std::array::from_fn(|i| {
        let code = u32::from(low[i] >> (4 * odd) & 15) | (high >> i & 1) << 4;
        d * code as f32 + m
    })
}
