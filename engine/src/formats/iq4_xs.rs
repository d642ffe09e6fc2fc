//! IQ4_XS: 256 values in eight groups of 32, each with a 6-bit scale minus 32, scaled by one f16; 4-bit codes point
//! into a table of 16 bytes. In the 16 bytes of a group, low nibbles are values 0..16, high nibbles 16..32.

use super::{Format, NON_LINEAR, Plane, copy, decode_units, f16_at, u16_at};

pub static FORMAT: Format = Format {
    name: "IQ4_XS",
    type_id: 23,
    block_len: 256,
    block_bytes: 136,
    planes: &[
        Plane { name: "codes", block_bytes: 128, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 8, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("iq4_xs.wgsl"),
    wgsl_path: "formats/iq4_xs.wgsl",
};

fn pieces(block: &[u8]) -> [&[u8]; 2] {
    [&block[8..], &block[..8]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, group) = (unit / 16, unit % 16 / 2);
    let codes = &row[0][unit / 2 * 16..][..16];
    // One f16, two high bits of each group's scale in 16 bits, four low bits of each in nibbles.
    let head = &row[1][block * 8..][..8];
    let low = head[4 + group / 2] >> (4 * (group % 2)) & 15;
    let high = u16_at(head, 2) >> (2 * group) & 3;
    let d = f16_at(head, 0) * (f32::from(u16::from(low) | high << 4) - 32.0);
    let shift = 4 * (unit % 2);
    std::array::from_fn(|i| d * f32::from(NON_LINEAR[usize::from(codes[i] >> shift & 15)]))
}
