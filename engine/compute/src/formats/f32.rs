//! F32: plain values.

use super::values::{Values, dot};
use super::{Format, Plane, Rows};

pub static FORMAT: Format = Format {
    name: "F32",
    type_id: 0,
    block_len: 1,
    block_bytes: 4,
    planes: &[Plane { name: "values", block_bytes: 4, align_bytes: 16 }],
    split: |block, planes| planes[0].copy_from_slice(block),
    rows: Rows::Values(Values {
        unpack: |row, out| {
            for (out, v) in out.iter_mut().zip(row.as_chunks::<4>().0) {
                *out = f32::from_le_bytes(*v);
            }
        },
        dot: |row, x| dot::<64>(row, x, |unit| bytemuck::cast(*unit)),
    }),
    codebook: &[],
    wgsl: crate::bare!("formats/f32.wgsl"),
    wgsl_path: "formats/f32.wgsl",
};
