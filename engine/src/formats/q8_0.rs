//! Q8_0: 32 values, one f16 scale, signed bytes.

use super::{Format, Plane, f16_at};

pub static FORMAT: Format = Format {
    name: "Q8_0",
    type_id: 8,
    block_len: 32,
    block_bytes: 34,
    planes: &[
        Plane { name: "codes", block_bytes: 32, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| {
        planes[0].copy_from_slice(&block[2..]);
        planes[1].copy_from_slice(&block[..2]);
    },
    decode: |block, out| {
        let d = f16_at(block, 0);
        for i in 0..32 {
            out[i] = d * f32::from(block[2 + i] as i8);
        }
    },
    decode16: |row, unit| {
        let codes = &row[0][unit * 16..][..16];
        let d = f16_at(row[1], unit / 2 * 2);
        std::array::from_fn(|i| d * f32::from(codes[i] as i8))
    },
    codebook: &[],
    wgsl: include_str!("q8_0.wgsl"),
    wgsl_path: "formats/q8_0.wgsl",
};
