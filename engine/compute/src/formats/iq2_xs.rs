//! IQ2_XS: 256 values in sixteen groups of 16, each with a 4-bit scale, scaled by one f16. Eight values are 16 bits:
//! nine choose eight magnitudes from a codebook, seven are signs; the eighth sign makes the number of minus signs even.

use super::codes::{Codes, Sink};
use super::grids::iq2_xs::GRID;
use super::unpack::{grouped, quarters, signed_bytes, spell};
use super::{Plane, even_signs, u16_at};

coded! {
    "formats/iq2_xs.wgsl";
    name: "IQ2_XS",
    type_id: 17,
    block_len: 256,
    block_bytes: 74,
    planes: &[
        Plane { name: "codes and signs", block_bytes: 64, align_bytes: 4 },
        Plane { name: "group scales", block_bytes: 8, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &GRID,
}

fn fields(block: &[u8]) -> [&[u8]; 3] {
    [&block[2..66], &block[66..], &block[..2]]
}

static MAGNITUDES: [[i8; 8]; 512] = spell(&GRID, 2, &[8, 25, 43]);

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 16;
    const RUN: usize = 32;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        grouped(scales, row[1], row[2], first, |nibbles: &[u8; 8], d| quarters(nibbles, d));
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let units = row[0].as_chunks::<8>().0[run].as_chunks::<4>().0;
        for (i, unit) in units.iter().enumerate() {
            let codes = [u16_at(unit, 0), u16_at(unit, 2)];
            let signs = codes.map(|code| even_signs(u32::from(code >> 9)));
            let words = codes.map(|code| MAGNITUDES[usize::from(code & 511)]);
            to.unit(i, signed_bytes(&words, u16::from_le_bytes(signs)));
        }
    }
}
