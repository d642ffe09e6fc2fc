//! IQ4_NL: 32 values, one f16 scale, 4-bit codes that point into a table of 16 bytes. Low nibbles are values 0..16,
//! high nibbles 16..32.

use super::{Format, NON_LINEAR, Plane, copy, decode_units, f16_at};

pub static FORMAT: Format = Format {
    name: "IQ4_NL",
    type_id: 20,
    block_len: 32,
    block_bytes: 18,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("iq4_nl.wgsl"),
    wgsl_path: "formats/iq4_nl.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let codes = &row[0][unit / 2 * 16..][..16];
    let d = f16_at(row[1], unit / 2 * 2);
    let shift = 4 * (unit % 2);
    std::array::from_fn(|i| d * f32::from(NON_LINEAR[usize::from(codes[i] >> shift & 15)]))
}
