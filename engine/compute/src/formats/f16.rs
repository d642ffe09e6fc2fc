//! F16: IEEE half precision.

use super::unpack::halves;
use super::{Format, Plane, Rows, f16_at};

pub static FORMAT: Format = Format {
    name: "F16",
    type_id: 1,
    block_len: 1,
    block_bytes: 2,
    planes: &[Plane { name: "values", block_bytes: 2, align_bytes: 16 }],
    split: |block, planes| planes[0].copy_from_slice(block),
    decode: |block, out| out[0] = f16_at(block, 0),
    decode16: |row, unit| std::array::from_fn(|i| f16_at(row[0], 2 * (unit * 16 + i))),
    rows: Rows { unpack: |row, out| halves(row[0], out), products: None },
    codebook: &[],
    wgsl: crate::bare!("formats/f16.wgsl"),
    wgsl_path: "formats/f16.wgsl",
};
