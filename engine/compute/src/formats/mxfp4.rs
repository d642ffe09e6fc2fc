//! MXFP4 (OCP Microscaling Formats 1.0): 32 values E2M1 with one power of two, E8M0. The table holds the values
//! doubled, so the power is halved. Low nibbles are values 0..16, high nibbles 16..32.

use super::codes::{Codes, Sink};
use super::unpack::{lookup, nibbles};
use super::{E2M1_DOUBLED, Plane};

coded! {
    "formats/mxfp4.wgsl";
    name: "MXFP4",
    type_id: 39,
    block_len: 32,
    block_bytes: 17,
    planes: &[
        Plane { name: "codes", block_bytes: 16, align_bytes: 16 },
        Plane { name: "exponents", block_bytes: 1, align_bytes: 4 },
    ],
    codebook: &[],
}

fn fields(block: &[u8]) -> [&[u8]; 2] {
    [&block[1..], &block[..1]]
}

struct Block;

impl Codes for Block {
    const LEN: usize = 32;
    const GROUP: usize = 32;
    const RUN: usize = 32;
    const SIGNED: bool = true;

    #[inline(always)]
    fn scales(row: &[&[u8]], first: usize, scales: &mut [f32], _: &mut [f32]) {
        for (scale, e) in scales.iter_mut().zip(&row[1][first..]) {
            *scale = half_power(*e);
        }
    }

    #[inline(always)]
    fn codes(row: &[&[u8]], run: usize, to: &mut impl Sink) {
        for (unit, nibbles) in nibbles(row[0], run).into_iter().enumerate() {
            to.unit(unit, lookup(E2M1_DOUBLED, nibbles));
        }
    }
}

/// 2^(e - 128); the two smallest are subnormal.
fn half_power(e: u8) -> f32 {
    let e = u32::from(e);
    f32::from_bits(if e < 2 { 0x0020_0000 << e } else { (e - 1) << 23 })
}
