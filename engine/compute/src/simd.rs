//! What `wide` lacks: in instructions of WebAssembly there, in plain Rust elsewhere.

use wide::{f32x4, i16x8, i32x4, u16x8};

#[cfg(target_arch = "wasm32")]
use core::arch::wasm32 as wasm;

/// Sixteen bytes in lanes of two.
pub type Bytes = u16x8;

/// Bytes as lanes of 16 bits, with or without sign.
#[inline(always)]
pub fn widened(bytes: Bytes, signed: bool) -> [i16x8; 2] {
    #[cfg(target_arch = "wasm32")]
    {
        let v = bytes.into();
        match signed {
            true => [wasm::i16x8_extend_low_i8x16(v).into(), wasm::i16x8_extend_high_i8x16(v).into()],
            false => [wasm::u16x8_extend_low_u8x16(v).into(), wasm::u16x8_extend_high_u8x16(v).into()],
        }
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let bytes: [u8; 16] = bytemuck::cast(bytes);
        let wide = |byte: u8| if signed { i16::from(byte as i8) } else { i16::from(byte) };
        [0, 8].map(|first| i16x8::new(std::array::from_fn(|i| wide(bytes[first + i]))))
    }
}

/// Lanes of 16 bits as lanes of 32, with their signs.
#[inline(always)]
pub fn extended(v: i16x8) -> [i32x4; 2] {
    #[cfg(target_arch = "wasm32")]
    {
        let v = v.into();
        [wasm::i32x4_extend_low_i16x8(v).into(), wasm::i32x4_extend_high_i16x8(v).into()]
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let v = v.to_array();
        [0, 4].map(|first| i32x4::new(std::array::from_fn(|i| i32::from(v[first + i]))))
    }
}

/// Lanes of 16 bits as f32.
#[inline(always)]
pub fn floats(v: i16x8) -> [f32x4; 2] {
    #[cfg(target_arch = "wasm32")]
    {
        extended(v).map(|half| wasm::f32x4_convert_i32x4(half.into()).into())
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let v = v.to_array();
        [0, 4].map(|first| f32x4::new(std::array::from_fn(|i| f32::from(v[first + i]))))
    }
}

/// a + b * c, rounded once where relaxed instructions may be used, twice elsewhere.
#[inline(always)]
pub fn plus_times(a: f32x4, b: f32x4, c: f32x4) -> f32x4 {
    #[cfg(target_feature = "relaxed-simd")]
    {
        wasm::f32x4_relaxed_madd(b.into(), c.into(), a.into()).into()
    }
    #[cfg(not(target_feature = "relaxed-simd"))]
    {
        a + b * c
    }
}

/// To every lane of `sum`, four products of signed bytes with bytes below 128.
#[cfg(any(test, target_feature = "relaxed-simd"))]
#[inline(always)]
pub fn plus_dot(sum: i32x4, signed: Bytes, small: Bytes) -> i32x4 {
    #[cfg(target_feature = "relaxed-simd")]
    {
        wasm::i32x4_relaxed_dot_i8x16_i7x16_add(signed.into(), small.into(), sum.into()).into()
    }
    #[cfg(not(target_feature = "relaxed-simd"))]
    {
        let (signed, small): ([i8; 16], [i8; 16]) = (bytemuck::cast(signed), bytemuck::cast(small));
        let dot = |lane: usize| {
            (0..4).map(|i| i32::from(signed[4 * lane + i]) * i32::from(small[4 * lane + i])).sum()
        };
        sum + i32x4::new(std::array::from_fn(dot))
    }
}
