//! IQ4_XS: 256 values in eight groups of 32, each with a 6-bit scale minus 32, scaled by one f16; 4-bit codes point
//! into a table of 16 bytes. In the 16 bytes of a group, low nibbles are values 0..16, high nibbles 16..32.

use super::codes::{Codes, Sink};
use super::unpack::{lookup, nibbles};
use super::{NON_LINEAR, Plane, f16_at, u16_at};

coded! {
    "formats/iq4_xs.wgsl";
    name: "IQ4_XS",
    type_id: 23,
    block_len: 256,
    block_bytes: 136,
    planes: &[
        Plane { name: "codes", block_bytes: 128, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 8, align_bytes: 4 },
    ],
    codebook: &[],
}

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[8..], &block[..8]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        let heads = row[1].as_chunks::<8>().0[first..].iter();
        for (scales, head) in scales.as_chunks_mut::<8>().0.iter_mut().zip(heads) {
            // One f16, two high bits of each group's scale in 16 bits, four low bits of each in nibbles.
            let (d, high) = (f16_at(head, 0), u16_at(head, 2));
            *scales = std::array::from_fn(|g| {
                let low = head[4 + g / 2] >> (4 * (g % 2)) & 15;
                d * (f32::from(u16::from(low) | (high >> (2 * g) & 3) << 4) - 32.0)
            });
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        for (unit, nibbles) in nibbles(row[0], run).into_iter().enumerate() {
            to.unit(unit, lookup(NON_LINEAR, nibbles));
        }
    }
}
