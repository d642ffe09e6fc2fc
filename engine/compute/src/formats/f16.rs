//! F16: IEEE half precision.

use wide::u16x8;

use super::unpack::{halves, widened_halves};
use super::values::{Values, dot};
use super::{Format, Plane, Rows};

pub static FORMAT: Format = Format {
    name: "F16",
    type_id: 1,
    block_len: 1,
    block_bytes: 2,
    planes: &[Plane { name: "values", block_bytes: 2, align_bytes: 16 }],
    split: |block, planes| planes[0].copy_from_slice(block),
    rows: Rows::Values(Values { unpack: halves, dot: dot_halves }),
    codebook: &[],
    wgsl: crate::bare!("formats/f16.wgsl"),
    wgsl_path: "formats/f16.wgsl",
};

fn dot_halves(row: &[u8], x: &[f32]) -> f32 {
    // Halves without their signs, so that infinity and NaN are the largest.
    let mut largest = u16x8::ZERO;
    let sum = dot::<32>(row, x, |unit| {
        let units: [u16x8; 2] = bytemuck::cast(*unit);
        units.into_iter().for_each(|v| largest = largest.max(v << 1u32));
        bytemuck::cast(units.map(widened_halves))
    });
    let is_finite = largest.to_array().iter().all(|doubled| *doubled < 0xf800);
    if is_finite { sum } else { dot::<32>(row, x, |unit| bytemuck::cast(unpacked(unit))) }
}

fn unpacked(unit: &[u8; 32]) -> [f32; 16] {
    let mut values = [0.0; 16];
    halves(unit, &mut values);
    values
}
