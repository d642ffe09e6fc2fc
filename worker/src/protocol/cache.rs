//! Forms of the KV cache.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use pith_engine::plan::CacheFormat;
use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

/// How keys and values are stored. The smaller ones hold more context in the same memory, and are less exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum CacheType {
    /// As computed.
    #[default]
    F32,
    /// 16 bits a value.
    F16,
    /// 8.5 bits a value.
    #[serde(rename = "q8_0")]
    Q8_0,
    /// 4.5 bits a value.
    #[serde(rename = "q4_0")]
    Q4_0,
}

impl From<CacheType> for CacheFormat {
    fn from(cache: CacheType) -> Self {
        match cache {
            CacheType::F32 => CacheFormat::F32,
            CacheType::F16 => CacheFormat::F16,
            CacheType::Q8_0 => CacheFormat::Q8_0,
            CacheType::Q4_0 => CacheFormat::Q4_0,
        }
    }
}

impl From<CacheFormat> for CacheType {
    fn from(cache: CacheFormat) -> Self {
        match cache {
            CacheFormat::F32 => CacheType::F32,
            CacheFormat::F16 => CacheType::F16,
            CacheFormat::Q8_0 => CacheType::Q8_0,
            CacheFormat::Q4_0 => CacheType::Q4_0,
        }
    }
}
