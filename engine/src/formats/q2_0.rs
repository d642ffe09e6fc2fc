//! Q2_0: 64 values, one f16 scale, 2-bit codes minus 1 in the order of the values.

use super::{Format, Plane, copy, decode_units, f16_at, u32_at};

pub static FORMAT: Format = Format {
    name: "Q2_0",
    type_id: 42,
    block_len: 64,
    block_bytes: 18,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("q2_0.wgsl"),
    wgsl_path: "formats/q2_0.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let codes = u32_at(row[0], unit * 4);
    let d = f16_at(row[1], unit / 4 * 2);
    std::array::from_fn(|i| d * ((codes >> (2 * i) & 3) as f32 - 1.0))
}
