//! Cells of the KV cache: a head of keys or values, encoded and decoded.

use half::f16;

use crate::plan::{CACHE_BLOCK, CacheFormat, Kv};

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
    if kv.format == CacheFormat::F32 {
        row.copy_from_slice(&pool[code..code + row.len()]);
        return;
    }
    let pool: &[u32] = bytemuck::cast_slice(pool);
    let per_word = kv.format.values_per_word();
    let half = |word: u32, i: usize| f16::from_bits((word >> (16 * (i % 2))) as u16).to_f32();
    for (i, v) in row.iter_mut().enumerate() {
        let word = pool[code + i / per_word];
        let block = i / CACHE_BLOCK;
        *v = match kv.format {
            CacheFormat::F32 => f32::from_bits(word),
            CacheFormat::F16 => half(word, i),
            CacheFormat::Q8_0 => {
                f32::from((word >> (8 * (i % 4))) as i8) * half(pool[scale + block / 2], block)
            }
            CacheFormat::Q4_0 => {
                (((word >> (4 * (i % 8))) & 15) as f32 - 8.0) * half(pool[scale + block / 2], block)
            }
        };
    }
}
