//! Q5_K: 256 values in eight groups of 32, each with a 6-bit scale and a 6-bit minimum, scaled by two f16.
//! Byte `32 j + i` of the low bits holds value `i` of group `2 j` (low nibble) and of group `2 j + 1` (high nibble);
//! the fifth bit of value `i` of group `g` is bit `g` of high byte `i`.

use super::{Format, Plane, copy, decode_units, scale_min};

pub static FORMAT: Format = Format {
    name: "Q5_K",
    type_id: 13,
    block_len: 256,
    block_bytes: 176,
    planes: &[
        Plane { name: "low bits", block_bytes: 128, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 32, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 16, align_bytes: 16 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("q5_k.wgsl"),
    wgsl_path: "formats/q5_k.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[48..], &block[16..48], &block[..16]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, within) = (unit / 16, unit % 16);
    let (group, i0) = (within / 2, within % 2 * 16);
    let (scale, min) = scale_min(&row[2][block * 16..], group);
    let low = &row[0][block * 128 + group / 2 * 32 + i0..][..16];
    let high = &row[1][block * 32 + i0..][..16];
    std::array::from_fn(|i| {
        let code = low[i] >> (4 * (group % 2)) & 15 | (high[i] >> group & 1) << 4;
        scale * f32::from(code) - min
    })
}
