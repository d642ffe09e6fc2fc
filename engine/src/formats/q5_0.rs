//! Q5_0: 32 values, one f16 scale, 5-bit codes minus 16. Low nibbles are values 0..16, high nibbles 16..32; the fifth
//! bit of value `i` is bit `i` of a word.

use super::{Format, Plane, copy, decode_units, f16_at, u32_at};

pub static FORMAT: Format = Format {
    name: "Q5_0",
    type_id: 6,
    block_len: 32,
    block_bytes: 22,
    planes: &[
        Plane { name: "low bits", block_bytes: 16, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 4, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("q5_0.wgsl"),
    wgsl_path: "formats/q5_0.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[6..], &block[2..6], &block[..2]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, odd) = (unit / 2, unit % 2);
    let low = &row[0][block * 16..][..16];
    let high = u32_at(row[1], block * 4) >> (16 * odd);
    let d = f16_at(row[2], block * 2);
    std::array::from_fn(|i| {
        let code = u32::from(low[i] >> (4 * odd) & 15) | (high >> i & 1) << 4;
        d * (code as f32 - 16.0)
    })
}
