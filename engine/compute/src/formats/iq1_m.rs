//! IQ1_M: 256 values in sixteen groups of 16, each with a 3-bit scale, four of them in 16 bits, whose top nibbles
//! together are an f16 scale. Eight values have eleven bits that choose -1, 0 or 1 for each from a codebook, a byte and
//! three bits of a nibble, whose fourth bit says whether an eighth is added or taken away.

use super::codes::{Codes, Sink};
use super::grids::iq1::{EIGHTHS, GRID};
use super::unpack::{less, signed_bytes};
use super::{Plane, f16_at, u16_at};

coded! {
    "formats/iq1_m.wgsl";
    name: "IQ1_M",
    type_id: 29,
    block_len: 256,
    block_bytes: 56,
    planes: &[
        Plane { name: "low bits", block_bytes: 32, align_bytes: 4 },
        Plane { name: "high bits and shifts", block_bytes: 16, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 8, align_bytes: 4 },
    ],
    codebook: &GRID,
}

fn fields(block: &[u8]) -> [&[u8]; 3] {
    [&block[..32], &block[32..48], &block[48..]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 16;
    const RUN: usize = 32;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, out: &mut [f32], _: &mut [f32]) {
        for (i, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let scales = row[2].as_chunks::<8>().0[first + i];
            let nibbles: [u8; 4] = std::array::from_fn(|i| scales[2 * i + 1] >> 4);
            let d = f16_at(&[nibbles[0] | nibbles[1] << 4, nibbles[2] | nibbles[3] << 4], 0) * 0.125;
            *out = std::array::from_fn(|g| {
                d * f32::from(2 * (u16_at(&scales, g / 4 * 2) >> (g % 4 * 3) & 7) + 1)
            });
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let low = row[0].as_chunks::<4>().0[run];
        let high = row[1].as_chunks::<2>().0[run];
        for i in 0..2 {
            let high = [high[i] & 15, high[i] >> 4];
            let words = [0, 1].map(|j| EIGHTHS[usize::from(low[2 * i + j]) | usize::from(high[j] & 7) << 8]);
            let zeros = high.map(|high| if high & 8 == 0 { 7 } else { 9 });
            to.unit(i, less(signed_bytes(&words, 0), zeros));
        }
    }
}
