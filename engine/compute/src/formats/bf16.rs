//! BF16: the upper half of an f32.

use super::{Format, Plane, Rows};

pub static FORMAT: Format = Format {
    name: "BF16",
    type_id: 30,
    block_len: 1,
    block_bytes: 2,
    planes: &[Plane { name: "values", block_bytes: 2, align_bytes: 16 }],
    split: |block, planes| planes[0].copy_from_slice(block),
    rows: Rows::Values(|row, out| {
        for (out, v) in out.iter_mut().zip(row[0].as_chunks::<2>().0) {
            *out = f32::from_le_bytes([0, 0, v[0], v[1]]);
        }
    }),
    codebook: &[],
    wgsl: crate::bare!("formats/bf16.wgsl"),
    wgsl_path: "formats/bf16.wgsl",
};
