//! IQ3_XXS: 256 values in eight groups of 32, one f16 scale. A group has eight bytes, each of which chooses four
//! magnitudes from a codebook, and a word of four times seven signs and a 4-bit scale. The eighth sign makes the number
//! of minus signs even.

use super::codes::{Codes, Sink};
use super::grids::iq3_xxs::GRID;
use super::unpack::{signed_bytes, spell};
use super::{Plane, even_signs, f16_at, u32_at};

coded! {
    "formats/iq3_xxs.wgsl";
    name: "IQ3_XXS",
    type_id: 18,
    block_len: 256,
    block_bytes: 98,
    planes: &[
        Plane { name: "codes", block_bytes: 64, align_bytes: 4 },
        Plane { name: "signs and group scales", block_bytes: 32, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &GRID,
}

fn fields(block: &[u8]) -> [&[u8]; 3] {
    [&block[2..66], &block[66..], &block[..2]]
}

static MAGNITUDES: [[i8; 4]; 256] = spell(&GRID, 4, &[4, 12, 20, 28, 36, 44, 52, 62]);

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (i, scales) in scales.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let d = f16_at(row[2], (first + i) * 2);
            let groups = row[1].as_chunks::<32>().0[first + i];
            *scales = std::array::from_fn(|g| d * (0.5 + f32::from(groups[g * 4 + 3] >> 4)) * 0.5);
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let codes = row[0].as_chunks::<8>().0[run];
        let word = u32_at(row[1], run * 4);
        for i in 0..2 {
            let words = [0, 1, 2, 3].map(|j| MAGNITUDES[usize::from(codes[4 * i + j])]);
            let signs = [0, 1].map(|j| even_signs(word >> (7 * (2 * i + j))));
            to.unit(i, signed_bytes(&words, u16::from_le_bytes(signs)));
        }
    }
}
