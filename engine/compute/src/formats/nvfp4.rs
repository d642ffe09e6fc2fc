//! NVFP4: 64 values E2M1 in four groups of 16, each with an unsigned E4M3 scale. The table holds the values doubled, so
//! the scales are halved. In the eight bytes of a group, low nibbles are values 0..8, high nibbles 8..16.
//! A file may scale the whole tensor once more, by a tensor of one value beside it: the last plane has it for every row.

use super::codes::{Codes, Sink};
use super::unpack::lookup;
use super::{E2M1_DOUBLED, Format, Plane, Rows, copy};

pub static FORMAT: Format = Format {
    name: "NVFP4",
    type_id: 40,
    block_len: 64,
    block_bytes: 36,
    planes: &[
        Plane { name: "codes", block_bytes: 32, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 4, align_bytes: 4 },
        Plane { name: "tensor scale", block_bytes: 0, align_bytes: 4 },
    ],
    split: |block, planes| copy(&fields(block), planes),
    rows: Rows::of::<Block>(),
    codebook: &[],
    wgsl: crate::bare!("formats/nvfp4.wgsl"),
    wgsl_path: "formats/nvfp4.wgsl",
};

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[4..], &block[..4]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 64;
    const GROUP: usize = 16;
    const RUN: usize = 64;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        let tensor = f32::from_le_bytes([row[2][0], row[2][1], row[2][2], row[2][3]]);
        for (scale, code) in scales.iter_mut().zip(&row[1][first * 4..]) {
            *scale = half_scale(*code) * tensor;
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let codes = row[0].as_chunks::<8>().0[run * 4..][..4].iter();
        for (u, codes) in codes.enumerate() {
            let codes = u64::from_le_bytes(*codes);
            let nibbles = [codes, codes >> 4].map(|n| n & 0x0f0f_0f0f_0f0f_0f0f);
            to.unit(u, lookup(E2M1_DOUBLED, bytemuck::cast(nibbles)));
        }
    }
}

/// Half an unsigned E4M3, whose bias is 7: subnormals have no leading one; the code of NaN counts as zero.
fn half_scale(code: u8) -> f32 {
    let (exponent, mantissa) = (u32::from(code >> 3 & 15), f32::from(code & 7));
    match exponent {
        0 => mantissa / 1024.0,
        _ if code == 0x7f => 0.0,
        _ => f32::from_bits((exponent + 119) << 23) * (1.0 + mantissa / 8.0),
    }
}
