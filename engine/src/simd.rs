//! What `wide` lacks: in instructions of WebAssembly there, in plain Rust elsewhere.

use wide::{f32x4, i16x8, i32x4};

#[cfg(target_arch = "wasm32")]
use core::arch::wasm32 as wasm;

/// a0 b0 a1 b1 and so on.
#[inline(always)]
pub fn interleave(a: i16x8, b: i16x8) -> [i16x8; 2] {
    #[cfg(target_arch = "wasm32")]
    {
        let (a, b) = (a.into(), b.into());
        [
            wasm::i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b).into(),
            wasm::i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b).into(),
        ]
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let (a, b) = (a.to_array(), b.to_array());
        [0, 4].map(|first| i16x8::new(std::array::from_fn(|i| [a, b][i % 2][first + i / 2])))
    }
}

/// The lanes as lanes of 32 bits.
#[inline(always)]
pub fn widened(v: i16x8) -> [i32x4; 2] {
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

/// a + b * c, rounded once where instructions for that may be used, twice elsewhere.
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
