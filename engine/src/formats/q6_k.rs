//! Q6_K: 256 values in sixteen groups of 16, each with a signed 8-bit scale, scaled by one f16; codes minus 32.
//! Each half of 128 values: value `32 j + i` takes four bits from byte `32 (j % 2) + i` of its 64 low bytes
//! (high nibble for j >= 2) and two bits, `2 j` up, from byte `i` of its 32 high bytes.

use super::{Format, Plane, f16_at};

pub static FORMAT: Format = Format {
    name: "Q6_K",
    type_id: 14,
    block_len: 256,
    block_bytes: 210,
    planes: &[
        Plane { name: "low bits", block_bytes: 128, align_bytes: 16 },
        Plane { name: "high bits", block_bytes: 64, align_bytes: 16 },
        Plane { name: "group scales", block_bytes: 16, align_bytes: 16 },
        Plane { name: "scales", block_bytes: 2, align_bytes: 4 },
    ],
    split: |block, planes| {
        planes[0].copy_from_slice(&block[..128]);
        planes[1].copy_from_slice(&block[128..192]);
        planes[2].copy_from_slice(&block[192..208]);
        planes[3].copy_from_slice(&block[208..]);
    },
    decode: |block, out| {
        let planes: [&[u8]; 4] = [&block[..128], &block[128..192], &block[192..208], &block[208..]];
        for unit in 0..16 {
            out[unit * 16..][..16].copy_from_slice(&decode16(&planes, unit));
        }
    },
    decode16,
    codebook: &[],
    wgsl: include_str!("q6_k.wgsl"),
    wgsl_path: "formats/q6_k.wgsl",
};

fn decode16(row: &[&[u8]], unit: usize) -> [f32; 16] {
    let (block, group) = (unit / 16, unit % 16);
    let (half, j, i0) = (group / 8, group % 8 / 2, group % 2 * 16);
    let low = &row[0][block * 128 + half * 64 + j % 2 * 32 + i0..][..16];
    let high = &row[1][block * 64 + half * 32 + i0..][..16];
    let scale = f16_at(row[3], block * 2) * f32::from(row[2][block * 16 + group] as i8);
    std::array::from_fn(|i| {
        let code = low[i] >> (4 * (j / 2)) & 15 | (high[i] >> (2 * j) & 3) << 4;
        scale * (f32::from(code) - 32.0)
    })
}
