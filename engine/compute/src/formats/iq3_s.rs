//! IQ3_S: 256 values in eight groups of 32, each with a 4-bit scale, scaled by one f16. Four values have nine bits that
//! choose four magnitudes from a codebook (a byte, and a bit elsewhere); each value has a sign bit.

use super::codes::{Codes, Sink};
use super::grids::iq3_s::GRID;
use super::unpack::{signed_bytes, spell};
use super::{Format, Plane, Rows, f16_at, u16_at};

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
    rows: Rows::of::<Block>(),
    codebook: &GRID,
    wgsl: crate::bare!("formats/iq3_s.wgsl"),
    wgsl_path: "formats/iq3_s.wgsl",
};

fn split(block: &[u8], planes: &mut [&mut [u8]]) {
    planes[0].copy_from_slice(&block[2..66]);
    planes[1].copy_from_slice(&block[74..106]);
    planes[2][..8].copy_from_slice(&block[66..74]);
    planes[2][8..].copy_from_slice(&block[106..]);
    planes[3].copy_from_slice(&block[..2]);
}

static MAGNITUDES: [[i8; 4]; 512] = spell(&GRID, 4, &[1, 3, 5, 7, 9, 11, 13, 15]);

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (i, scales) in scales.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let d = f16_at(row[3], (first + i) * 2);
            let groups = &row[2][(first + i) * 12 + 8..][..4];
            *scales = std::array::from_fn(|g| d * (1.0 + 2.0 * f32::from(groups[g / 2] >> (g % 2 * 4) & 15)));
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let (low, signs) = (row[0].as_chunks::<8>().0[run], row[1].as_chunks::<4>().0[run]);
        let high = usize::from(row[2][run / 8 * 12 + run % 8]);
        for i in 0..2 {
            let words = [0, 1, 2, 3].map(|j| {
                let j = 4 * i + j;
                MAGNITUDES[usize::from(low[j]) | (high >> j & 1) << 8]
            });
            to.unit(i, signed_bytes(&words, u16_at(&signs, 2 * i)));
        }
    }
}
