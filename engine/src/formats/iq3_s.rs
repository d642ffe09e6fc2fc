//! IQ3_S: 256 values in eight groups of 32, each with a 4-bit scale, scaled by one f16. Four values have nine bits that
//! choose four magnitudes from a codebook (a byte, and a bit elsewhere); each value has a sign bit.

use super::grids::iq3_s::GRID;
use super::{Format, Plane, decode_units, f16_at, signed};

pub static FORMAT: Format = Format {
    name: "IQ3_S",
    type_id: 21,
    block_len: 256,
    block_bytes: 110,
    planes: &[
        Plane { name: "low bits", block_bytes: 64, align_bytes: 4 },
        Plane { name: "signs", block_bytes: 32, align_bytes: 4 },
        Plane { name: "high bits and group scales", block_bytes: 12, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split,
    decode: |block, out| {
        let (mut a, mut b, mut c, mut d) = ([0; 64], [0; 32], [0; 12], [0; 2]);
        split(block, &mut [&mut a, &mut b, &mut c, &mut d]);
        decode_units(&[&a, &b, &c, &d], decode16, out);
    },
    decode16,
    codebook: &GRID,
    wgsl: include_str!("iq3_s.wgsl"),
    wgsl_path: "formats/iq3_s.wgsl",
};

fn split(block: &[u8], planes: &mut [&mut [u8]]) {
    planes[0].copy_from_slice(&block[2..66]);
    planes[1].copy_from_slice(&block[74..106]);
    planes[2][..8].copy_from_slice(&block[66..74]);
    planes[2][8..].copy_from_slice(&block[106..]);
    planes[3].copy_from_slice(&block[..2]);
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, within) = (unit / 16, unit % 16);
    let low = &row[0][unit * 4..][..4];
    let signs = &row[1][unit * 2..][..2];
    let (high, scales) = row[2][block * 12..][..12].split_at(8);
    let high = high[within / 2] >> (4 * (within % 2));
    let scale = scales[within / 4] >> (within / 2 % 2 * 4) & 15;
    let d = f16_at(row[3], block * 2) * (1.0 + 2.0 * f32::from(scale));
    std::array::from_fn(|i| {
        let code = usize::from(low[i / 4]) | usize::from(high >> (i / 4) & 1) << 8;
        let index = GRID[code] >> (i % 4 * 4) & 15;
        signed(d * f32::from(2 * index + 1), signs[i / 8], i % 8)
    })
}
