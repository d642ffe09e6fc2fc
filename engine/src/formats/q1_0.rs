//! Q1_0: 128 values, one f16 scale, and a bit each: set is plus, clear is minus.

use super::{Format, Plane, copy, decode_units, f16_at, u16_at};

pub static FORMAT: Format = Format {
    name: "Q1_0",
    type_id: 41,
    block_len: 128,
    block_bytes: 18,
    planes: &[
        Plane { name: "signs", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("q1_0.wgsl"),
    wgsl_path: "formats/q1_0.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let bits = u16_at(row[0], unit * 2);
    let d = f16_at(row[1], unit / 8 * 2);
    std::array::from_fn(|i| if bits >> i & 1 == 1 { d } else { -d })
}
