//! Q3_K: 256 values in sixteen groups of 16, each with a 6-bit scale minus 32, scaled by one f16.
//! Each half `h` of 128 values: value `32 j + i` takes two bits, `2 j` up, from byte `i` of the half's 32 bytes; its
//! third bit is bit `4 h + j` of high byte `i`. Codes are minus 4.

use super::codes::{Codes, Sink};
use super::unpack::{bits, floats, grouped, lanes};
use super::{Plane, u32_at};

coded! {
    "formats/q3_k.wgsl";
    name: "Q3_K",
    type_id: 11,
    block_len: 256,
    block_bytes: 110,
    planes: &[
        Plane { name: "low bits", block_bytes: 64, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 32, align_bytes: 16 },
        Plane { name: "group scales", block_bytes: 12, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    codebook: &[],
}

fn fields(block: &[u8]) -> [&[u8]; 4] {
    [&block[32..96], &block[..32], &block[96..108], &block[108..]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 256;
    const GROUP: usize = 16;
    const RUN: usize = 32;
    const ZERO: i16 = 4;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        grouped(scales, row[2], row[3], first, |groups, d| floats(group_scales(groups), 32, [d; 2]));
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        let (half, j) = (run / 4, run % 4);
        for i in 0..2 {
            let low = lanes(row[0], half * 2 + i) >> (2 * j) as u32;
            let high = lanes(row[1], half / 2 * 2 + i) >> (half % 2 * 4 + j) as u32;
            to.unit(i, bits(low, 0, 3, 0) | bits(high, 0, 1, 2));
        }
    }
}

/// Groups 0..8 have their four low bits in the low nibbles of bytes 0..8, groups 8..16 in the high nibbles; the two
/// high bits of group `g` are in byte `8 + g % 4`, `2 (g / 4)` up.
#[inline(always)]
fn group_scales(bytes: &[u8; 12]) -> [u8; 16] {
    let [a, b, high] = [0, 4, 8].map(|at| u32_at(bytes, at));
    let low = [a, b, a >> 4, b >> 4].map(|word| word & 0x0f0f_0f0f);
    let scales: [u32; 4] = std::array::from_fn(|i| low[i] | (high >> (2 * i) & 0x0303_0303) << 4);
    bytemuck::cast(scales)
}
