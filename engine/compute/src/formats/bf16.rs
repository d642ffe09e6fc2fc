//! BF16: the upper half of an f32.

use super::{Format, Plane, Rows};

pub static FORMAT: Format = Format {
    name: "BF16",
    type_id: 30,
    block_len: 1,
    block_bytes: 2,
    planes: &[Plane { name: "values", block_bytes: 2, align_bytes: 16 }],
    split: |block, planes| planes[0].copy_from_slice(block),
    decode: |block, out| out[0] = value(block, 0),
    decode16: |row, unit| std::array::from_fn(|i| value(row[0], unit * 16 + i)),
    rows: Rows {
        unpack: |row, out| {
            for (out, v) in out.iter_mut().zip(row[0].as_chunks::<2>().0) {
                *out = f32::from_le_bytes([0, 0, v[0], v[1]]);
            }
        },
        products: None,
    },
    codebook: &[],
    wgsl: crate::bare!("formats/bf16.wgsl"),
    wgsl_path: "formats/bf16.wgsl",
};

fn value(bytes: &[u8], i: usize) -> f32 {
    f32::from_le_bytes([0, 0, bytes[2 * i], bytes[2 * i + 1]])
}
