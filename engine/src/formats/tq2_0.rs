//! TQ2_0: 256 values of -1, 0, 1 (or 2) and one f16 scale, as 2-bit codes minus 1. Each half of 128 values: value
//! `32 j + i` takes two bits, `2 j` up, from byte `i` of its 32 bytes.

use super::{Format, Plane, copy, decode_units, f16_at};

pub static FORMAT: Format = Format {
    name: "TQ2_0",
    type_id: 35,
    block_len: 256,
    block_bytes: 66,
    planes: &[
        Plane { name: "codes", block_bytes: 64, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("tq2_0.wgsl"),
    wgsl_path: "formats/tq2_0.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 2] {
    [&block[..64], &block[64..]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, group) = (unit / 16, unit % 16);
    let (half, j, i0) = (group / 8, group % 8 / 2, group % 2 * 16);
    let codes = &row[0][block * 64 + half * 32 + i0..][..16];
    let d = f16_at(row[1], block * 2);
    std::array::from_fn(|i| d * (f32::from(codes[i] >> (2 * j) & 3) - 1.0))
}
