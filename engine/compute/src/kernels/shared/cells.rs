//! Cells of the KV cache: a head of keys or values, encoded and decoded.

use bytemuck::AnyBitPattern;
use half::f16;
use wide::{f32x4, u16x8};

use crate::formats::unpack::{widen, widened_halves};
use crate::plan::{CACHE_BLOCK, CacheFormat, Kv};
use crate::simd::{floats, widened};

/// Stores `row`, a head's values, in its cell.
pub fn store(kv: &Kv, pool: &mut [f32], place: usize, head: usize, row: &[f32]) {
    let (code, scale) = kv.cell(place, head);
    let n = kv.head_len;
    if kv.format == CacheFormat::F32 {
        pool[code..code + n].copy_from_slice(row);
        return;
    }
    let pool: &mut [u32] = bytemuck::cast_slice_mut(pool);
    let per_word = kv.format.values_per_word();
    pool[code..code + kv.format.code_words(n)].fill(0);
    pool[scale..scale + kv.format.scale_words(n)].fill(0);
    let mut put = |i: usize, bits: u32| pool[code + i / per_word] |= bits << (32 / per_word * (i % per_word));
    if kv.format == CacheFormat::F16 {
        for (i, v) in row.iter().enumerate() {
            put(i, f16::from_f32(v.clamp(-65504.0, 65504.0)).to_bits().into());
        }
        return;
    }
    let mut scales = [0.0f32; crate::plan::HEAD_LEN_MAX.div_ceil(CACHE_BLOCK)];
    for ((b, block), scale) in row.chunks(CACHE_BLOCK).enumerate().zip(&mut scales) {
        let largest = block.iter().fold(0.0f32, |m, &v| if v.abs() > m.abs() { v } else { m });
        *scale = if kv.format == CacheFormat::Q8_0 { largest.abs() / 127.0 } else { largest / -8.0 };
        let inverse = if *scale == 0.0 { 0.0 } else { 1.0 / *scale };
        for (i, v) in block.iter().enumerate() {
            let v = v * inverse;
            let bits = match kv.format {
                CacheFormat::Q8_0 => v.round() as i32 as u32 & 255,
                _ => ((v + 8.5) as u32).min(15),
            };
            put(b * CACHE_BLOCK + i, bits);
        }
    }
    // Behind the end of a head lie zeros, whose code is 8.
    if kv.format == CacheFormat::Q4_0 {
        (n..kv.format.code_words(n) * per_word).for_each(|i| put(i, 8));
    }
    for b in 0..n.div_ceil(CACHE_BLOCK) {
        pool[scale + b / 2] |= u32::from(f16::from_f32(scales[b]).to_bits()) << (16 * (b % 2));
    }
}

/// Decodes the cell of a head.
pub fn load(kv: &Kv, pool: &[f32], place: usize, head: usize, row: &mut [f32]) {
    let (code, scale) = kv.cell(place, head);
    let codes = &pool[code..code + kv.format.code_words(kv.head_len)];
    match kv.format {
        CacheFormat::F32 => row.copy_from_slice(&codes[..row.len()]),
        CacheFormat::F16 => runs(codes, row, |_, halves: u16x8| widened_halves(halves)),
        CacheFormat::Q8_0 => runs(codes, row, |at, bytes: u16x8| {
            let [first, second] = widened(bytes, true);
            let scale = scale_at(pool, scale, at / CACHE_BLOCK);
            let ([a, b], [c, d]) = (floats(first), floats(second));
            [a, b, c, d].map(|code| code * scale)
        }),
        CacheFormat::Q4_0 => runs(codes, row, |at, bytes: [u8; 8]| {
            let scale = scale_at(pool, scale, at / CACHE_BLOCK);
            // Two codes a byte, each in a byte of its own.
            let pairs = u16x8::new(bytes.map(u16::from));
            let codes = pairs & 0x000f | pairs << 4u32 & 0x0f00;
            let [first, second] = widened(codes, false);
            let ([a, b], [c, d]) = (floats(first - 8), floats(second - 8));
            [a, b, c, d].map(|code| code * scale)
        }),
    }
}

/// The scale of a block, in every lane.
#[inline(always)]
fn scale_at(pool: &[f32], first: usize, block: usize) -> f32x4 {
    f32x4::splat(widen((pool[first + block / 2].to_bits() >> (16 * (block % 2))) as u16))
}

/// Decodes what is as long as an `S` at a time, into `V` vectors; `decode` is told the index of the first value.
#[inline(always)]
fn runs<S: AnyBitPattern, const V: usize>(
    codes: &[f32],
    row: &mut [f32],
    decode: impl Fn(usize, S) -> [f32x4; V],
) {
    let whole = row.len() / (4 * V);
    let (row, rest) = row.split_at_mut(whole * 4 * V);
    let (codes, rest_codes) = bytemuck::cast_slice(codes).split_at(whole * size_of::<S>());
    whole_runs(codes, row, 0, &decode);
    if !rest.is_empty() {
        let (mut codes, mut values) = ([0; 16], [0.0; 16]);
        codes[..rest_codes.len()].copy_from_slice(rest_codes);
        whole_runs(&codes[..size_of::<S>()], &mut values[..4 * V], row.len(), &decode);
        rest.copy_from_slice(&values[..rest.len()]);
    }
}

/// The same where the last run is as long as the others; `first` is the index of the first value.
#[inline(never)]
fn whole_runs<S: AnyBitPattern, const V: usize>(
    codes: &[u8],
    row: &mut [f32],
    first: usize,
    decode: &impl Fn(usize, S) -> [f32x4; V],
) {
    let runs = row.chunks_exact_mut(4 * V).zip(codes.chunks_exact(size_of::<S>()));
    for (i, (out, codes)) in runs.enumerate() {
        let values = decode(first + 4 * V * i, bytemuck::pod_read_unaligned(codes));
        out.copy_from_slice(bytemuck::cast_slice(&values));
    }
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::{load, store};
    use crate::plan::{BufferId, CACHE_BLOCK, CacheFormat, Kv};

    /// Value by value.
    fn decoded(kv: &Kv, pool: &[f32], place: usize, head: usize, i: usize) -> f32 {
        let (code, scale) = kv.cell(place, head);
        let per_word = kv.format.values_per_word();
        let word = pool[code + i / per_word].to_bits() >> (32 / per_word * (i % per_word));
        let half = |bits: u32| f16::from_bits(bits as u16).to_f32();
        let block = i / CACHE_BLOCK;
        let scale = || half(pool[scale + block / 2].to_bits() >> (16 * (block % 2)));
        match kv.format {
            CacheFormat::F32 => f32::from_bits(word),
            CacheFormat::F16 => half(word),
            CacheFormat::Q8_0 => f32::from(word as i8) * scale(),
            CacheFormat::Q4_0 => ((word & 15) as f32 - 8.0) * scale(),
        }
    }

    #[test]
    fn cells_are_decoded_as_value_by_value() {
        for format in [CacheFormat::F32, CacheFormat::F16, CacheFormat::Q8_0, CacheFormat::Q4_0] {
            // Whole runs of every format, and what is behind them.
            for head_len in [1, 5, 16, 24, 40, 64, 80, 128, 250] {
                let (keys, values) = (BufferId(0), BufferId(1));
                let kv = Kv { keys, values, format, heads: 3, head_len, pages: 1, in_fours: false };
                let mut pool = vec![0.0; kv.words()];
                for (place, head) in [(0, 0), (1, 2), (31, 1)] {
                    let row: Vec<f32> = (0..head_len)
                        .map(|i| ((i * 37 + place * 11 + head * 5) as f32).sin() * [1e-6, 3.0, 900.0][i % 3])
                        .collect();
                    store(&kv, &mut pool, place, head, &row);
                    let mut out = vec![f32::NAN; head_len];
                    load(&kv, &pool, place, head, &mut out);
                    for (i, (v, original)) in out.iter().zip(&row).enumerate() {
                        let expected = decoded(&kv, &pool, place, head, i);
                        assert_eq!(v.to_bits(), expected.to_bits(), "{format:?} {head_len} {i}");
                        assert!(format != CacheFormat::F32 || v == original);
                    }
                }
            }
        }
    }
}
