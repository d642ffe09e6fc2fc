//! Q4_0: 32 values, one f16 scale, 4-bit codes minus 8. Low nibbles are values 0..16, high nibbles 16..32.

use super::{Format, Plane, f16_at};

pub static FORMAT: Format = Format {
    name: "Q4_0",
    type_id: 2,
    block_len: 32,
    block_bytes: 18,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| {
        planes[0].copy_from_slice(&block[2..]);
        planes[1].copy_from_slice(&block[..2]);
    },
    decode: |block, out| {
        let d = f16_at(block, 0);
        for i in 0..16 {
            out[i] = d * (f32::from(block[2 + i] & 15) - 8.0);
            out[16 + i] = d * (f32::from(block[2 + i] >> 4) - 8.0);
        }
    },
    decode16: |row, unit| {
        let codes = &row[0][unit / 2 * 16..][..16];
        let d = f16_at(row[1], unit / 2 * 2);
        let shift = 4 * (unit % 2);
        std::array::from_fn(|i| d * (f32::from(codes[i] >> shift & 15) - 8.0))
    },
    codebook: &[],
    wgsl: include_str!("q4_0.wgsl"),
    wgsl_path: "formats/q4_0.wgsl",
};
