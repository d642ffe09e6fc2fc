//! F32: plain values.

use super::{Format, Plane, Rows};

pub static FORMAT: Format = Format {
    name: "F32",
    type_id: 0,
    block_len: 1,
    block_bytes: 4,
    planes: &[Plane { name: "values", block_bytes: 4, align_bytes: 16 }],
    split: |block, planes| planes[0].copy_from_slice(block),
    decode: |block, out| out[0] = value(block, 0),
    decode16: |row, unit| std::array::from_fn(|i| value(row[0], unit * 16 + i)),
    rows: Rows {
        unpack: |row, out| {
            for (out, v) in out.iter_mut().zip(row[0].as_chunks::<4>().0) {
                *out = f32::from_le_bytes(*v);
            }
        },
        products: None,
    },
    codebook: &[],
    wgsl: crate::bare!("formats/f32.wgsl"),
    wgsl_path: "formats/f32.wgsl",
};

fn value(bytes: &[u8], i: usize) -> f32 {
    f32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]])
}
