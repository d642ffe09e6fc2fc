//! IQ2_XXS: 256 values in eight groups of 32, one f16 scale. A group is two words: four bytes that choose eight
//! magnitudes each from a codebook, then four times seven signs and a 4-bit scale. The eighth sign makes the number of
//! minus signs even.

use super::codes::{Codes, Sink};
use super::grids::iq2_xxs::GRID;
use super::unpack::{signed_bytes, spell};
use super::{Plane, even_signs, f16_at, u32_at};

coded! {
    "formats/iq2_xxs.wgsl";
    name: "IQ2_XXS",
    type_id: 16,
    block_len: 256,
    block_bytes: 66,
    planes: &[
        Plane { name: "codes and signs", block_bytes: 64, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &GRID,
}

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[2..], &block[..2]]
}

static MAGNITUDES: [[i8; 8]; 256] = spell(&GRID, 2, &[8, 25, 43]);

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (i, scales) in scales.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let d = f16_at(row[1], (first + i) * 2);
            let groups = row[0].as_chunks::<64>().0[first + i];
            *scales = std::array::from_fn(|g| d * (0.5 + f32::from(groups[g * 8 + 7] >> 4)) * 0.25);
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let group = row[0].as_chunks::<8>().0[run];
        let word = u32_at(&group, 4);
        for i in 0..2 {
            let parts = [2 * i, 2 * i + 1];
            let words = parts.map(|part| MAGNITUDES[usize::from(group[part])]);
            let signs = parts.map(|part| even_signs(word >> (7 * part)));
            to.unit(i, signed_bytes(&words, u16::from_le_bytes(signs)));
        }
    }
}
