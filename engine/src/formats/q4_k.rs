//! Q4_K: 256 values in eight groups of 32, each with a 6-bit scale and a 6-bit minimum, scaled by two f16.
//! Byte `32 j + i` of the codes holds value `i` of group `2 j` (low nibble) and of group `2 j + 1` (high nibble).

use super::{Format, Plane, scale_min};

pub static FORMAT: Format = Format {
    name: "Q4_K",
    type_id: 12,
    block_len: 256,
    block_bytes: 144,
    planes: &[
        Plane { name: "codes", block_bytes: 128, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 16, align_bytes: 16 },
    ],
    split: |block, planes| {
        planes[0].copy_from_slice(&block[16..]);
        planes[1].copy_from_slice(&block[..16]);
    },
    decode: |block, out| {
        for group in 0..8 {
            let (scale, min) = scale_min(block, group);
            let codes = &block[16 + group / 2 * 32..][..32];
            for i in 0..32 {
                out[group * 32 + i] = scale * f32::from(codes[i] >> (4 * (group % 2)) & 15) - min;
            }
        }
    },
    decode16: |row, unit| {
        let (block, within) = (unit / 16, unit % 16);
        let group = within / 2;
        let (scale, min) = scale_min(&row[1][block * 16..], group);
        let codes = &row[0][block * 128 + group / 2 * 32 + within % 2 * 16..][..16];
        let shift = 4 * (group % 2);
        std::array::from_fn(|i| scale * f32::from(codes[i] >> shift & 15) - min)
    },
    codebook: &[],
    wgsl: include_str!("q4_k.wgsl"),
    wgsl_path: "formats/q4_k.wgsl",
};
