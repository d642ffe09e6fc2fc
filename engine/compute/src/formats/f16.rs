//! F16: IEEE half precision.

use super::unpack::halves;
use super::{Format, Plane, Rows};

pub static FORMAT: Format = Format {
    name: "F16",
    type_id: 1,
    block_len: 1,
    block_bytes: 2,
    planes: &[Plane { name: "values", block_bytes: 2, align_bytes: 16 }],
    split: |block, planes| planes[0].copy_from_slice(block),
    rows: Rows::Values(|row, out| halves(row[0], out)),
    codebook: &[],
    wgsl: crate::bare!("formats/f16.wgsl"),
    wgsl_path: "formats/f16.wgsl",
};
