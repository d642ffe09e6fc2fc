//! Q3_K: 256 values in sixteen groups of 16, each with a 6-bit scale minus 32, scaled by one f16.
//! Each half `h` of 128 values: value `32 j + i` takes two bits, `2 j` up, from byte `i` of the half's 32 bytes; its
//! third bit is bit `4 h + j` of high byte `i`. Codes are minus 4.

use super::{Format, Plane, copy, decode_units, f16_at};

pub static FORMAT: Format = Format {
    name: "Q3_K",
    type_id: 11,
    block_len: 256,
    block_bytes: 110,
    planes: &[
        Plane { name: "low bits", block_bytes: 64, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 32, align_bytes: 16 },
        Plane { name: "group scales", block_bytes: 12, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("q3_k.wgsl"),
    wgsl_path: "formats/q3_k.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 4] {
    [&block[32..96], &block[..32], &block[96..108], &block[108..]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, group) = (unit / 16, unit % 16);
    let (half, j, i0) = (group / 8, group % 8 / 2, group % 2 * 16);
    let low = &row[0][block * 64 + half * 32 + i0..][..16];
    let high = &row[1][block * 32 + i0..][..16];
    let scale = f16_at(row[3], block * 2) * group_scale(&row[2][block * 12..], group);
    std::array::from_fn(|i| {
        let code = low[i] >> (2 * j) & 3 | (high[i] >> (4 * half + j) & 1) << 2;
        scale * (f32::from(code) - 4.0)
    })
}

/// Groups 0..8 have their four low bits in the low nibbles of bytes 0..8, groups 8..16 in the high nibbles; the two
/// high bits of group `g` are in byte `8 + g % 4`, `2 (g / 4)` up.
fn group_scale(bytes: &[u8], group: usize) -> f32 {
    let low = bytes[group % 8] >> (4 * (group / 8)) & 15;
    let high = bytes[8 + group % 4] >> (2 * (group / 4)) & 3;
    f32::from(low | high << 4) - 32.0
}
