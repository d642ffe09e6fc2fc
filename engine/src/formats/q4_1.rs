//! Q4_1: 32 values, an f16 scale and an f16 minimum, 4-bit codes. Low nibbles are values 0..16, high nibbles 16..32.

use super::{Format, Plane, copy, decode_units, f16_at};

pub static FORMAT: Format = Format {
    name: "Q4_1",
    type_id: 3,
    block_len: 32,
    block_bytes: 20,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 16 },
        Plane { name: "scales and minima", block_bytes: 4, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("q4_1.wgsl"),
    wgsl_path: "formats/q4_1.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 2] {
    [&block[4..], &block[..4]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let block = unit / 2;
    let codes = &row[0][block * 16..][..16];
    let (d, m) = (f16_at(row[1], block * 4), f16_at(row[1], block * 4 + 2));
    let shift = 4 * (unit % 2);
    std::array::from_fn(|i| d * f32::from(codes[i] >> shift & 15) + m)
}
