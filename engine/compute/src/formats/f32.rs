//! F32: plain values.

use super::{Format, Plane, Rows};

pub static FORMAT: Format = Format {
    name: "F32",
    type_id: 0,
    block_len: 1,
    block_bytes: 4,
    planes: &[Plane { name: "values", block_bytes: 4, align_bytes: 16 }],
    split: |block, planes| planes[0].copy_from_slice(block),
    rows: Rows::Values(|row, out| {
        for (out, v) in out.iter_mut().zip(row[0].as_chunks::<4>().0) {
            *out = f32::from_le_bytes(*v);
        }
    }),
    codebook: &[],
    wgsl: crate::bare!("formats/f32.wgsl"),
    wgsl_path: "formats/f32.wgsl",
};
