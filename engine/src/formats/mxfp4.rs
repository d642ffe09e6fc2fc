//! MXFP4 (OCP Microscaling Formats 1.0): 32 values E2M1 with one power of two, E8M0. The table holds the values
//! doubled, so the power is halved. Low nibbles are values 0..16, high nibbles 16..32.

use super::{E2M1_DOUBLED, Format, Plane, copy, decode_units};

pub static FORMAT: Format = Format {
    name: "MXFP4",
    type_id: 39,
    block_len: 32,
    block_bytes: 17,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 16 },
        Plane { name: "exponents", block_bytes: 1, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("mxfp4.wgsl"),
    wgsl_path: "formats/mxfp4.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 2] {
    [&block[1..], &block[..1]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let codes = &row[0][unit / 2 * 16..][..16];
    let d = half_power(row[1][unit / 2]);
    let shift = 4 * (unit % 2);
    std::array::from_fn(|i| d * f32::from(E2M1_DOUBLED[usize::from(codes[i] >> shift & 15)]))
}

/// 2^(e - 128); the two smallest are subnormal.
fn half_power(e: u8) -> f32 {
    let e = u32::from(e);
    f32::from_bits(if e < 2 { 0x0020_0000 << e } else { (e - 1) << 23 })
}
