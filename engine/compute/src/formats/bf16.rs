//! BF16: the upper half of an f32.

use wide::i16x8;

use super::values::{Values, dot};
use super::{Format, Plane, Rows};
use crate::simd::extended;

pub static FORMAT: Format = Format {
    name: "BF16",
    type_id: 30,
    block_len: 1,
    block_bytes: 2,
    planes: &[Plane { name: "values", block_bytes: 2, align_bytes: 16 }],
    split: |block, planes| planes[0].copy_from_slice(block),
    rows: Rows::Values(Values {
        unpack: |row, out| {
            for (out, v) in out.iter_mut().zip(row.as_chunks::<2>().0) {
                *out = f32::from_le_bytes([0, 0, v[0], v[1]]);
            }
        },
        dot: |row, x| {
            dot::<32>(row, x, |unit| {
                let [a, b]: [i16x8; 2] = bytemuck::cast(*unit);
                let upper = [extended(a), extended(b)].map(|half| half.map(|v| v << 16u32));
                bytemuck::cast(upper)
            })
        },
    }),
    codebook: &[],
    wgsl: crate::bare!("formats/bf16.wgsl"),
    wgsl_path: "formats/bf16.wgsl",
};
