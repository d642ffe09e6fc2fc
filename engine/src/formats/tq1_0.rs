//! TQ1_0: 256 values of -1, 0, 1 and one f16 scale. A byte holds five ternary digits as a fraction of 256: its product
//! with 3^n, modulo 256, times 3 is digit `n` above the byte. Bytes 0..32 hold values `32 n + i` in digit `n`, bytes
//! 32..48 values `160 + 16 n + i`, and the last four bytes, of four digits, values `240 + 4 n + i`.

use super::{Format, Plane, copy, decode_units, f16_at};

pub static FORMAT: Format = Format {
    name: "TQ1_0",
    type_id: 34,
    block_len: 256,
    block_bytes: 54,
    planes: &[
        Plane { name: "digits", block_bytes: 48, align_bytes: 16 },
        Plane { name: "last digits", block_bytes: 4, align_bytes: 4 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| copy(&pieces(block), planes),
    decode: |block, out| decode_units(&pieces(block), decode16, out),
    decode16,
    codebook: &[],
    wgsl: include_str!("tq1_0.wgsl"),
    wgsl_path: "formats/tq1_0.wgsl",
};

const POWERS: [u8; 5] = [1, 3, 9, 27, 81];

fn pieces(block: &[u8]) -> [&[u8]; 3] {
    [&block[..48], &block[48..52], &block[52..]]
}

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, within) = (unit / 16, unit % 16);
    let (digits, last) = (&row[0][block * 48..], &row[1][block * 4..]);
    let d = f16_at(row[2], block * 2);
    std::array::from_fn(|i| {
        let (byte, n) = match within {
            0..10 => (digits[within % 2 * 16 + i], within / 2),
            10..15 => (digits[32 + i], within - 10),
            _ => (last[i % 4], i / 4),
        };
        d * (f32::from(((u16::from(byte.wrapping_mul(POWERS[n])) * 3) >> 8) as u8) - 1.0)
    })
}
