//! Q2_K: 256 values in sixteen groups of 16, each with a 4-bit scale and a 4-bit minimum, scaled by two f16.
//! Each half of 128 values: value `32 j + i` takes two bits, `2 j` up, from byte `i` of its 32 bytes.

use super::{Format, Plane, copy, decode_units, f16_at};

pub static FORMAT: Format = Format {
    name: "Q2_K",
    type_id: 10,
    block_len: 256,
    block_bytes: 84,
    planes: &[
        Plane { name: "codes", block_bytes: 64, align_bytes: 16 },
        Plane { name: "group scales and minima", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales and minima", block_bytes: 4, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("q2_k.wgsl"),
    wgsl_path: "formats/q2_k.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[16..80], &block[..16], &block[80..]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, group) = (unit / 16, unit % 16);
    let (half, j, i0) = (group / 8, group % 8 / 2, group % 2 * 16);
    let codes = &row[0][block * 64 + half * 32 + i0..][..16];
    let scale_min = row[1][block * 16 + group];
    let d = f16_at(row[2], block * 4) * f32::from(scale_min & 15);
    let m = f16_at(row[2], block * 4 + 2) * f32::from(scale_min >> 4);
    std::array::from_fn(|i| d * f32::from(codes[i] >> (2 * j) & 3) - m)
}
