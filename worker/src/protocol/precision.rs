//! How exact products are.

use pith_engine::formats;
use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

/// How exact products with quantized weights are. On GPUs only prompts have fast ones, and only where those were found to be faster; embedding models are always exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// Inputs of 8 bits, with a scale for 4 or 8 values.
    #[default]
    Fast,
    /// As exact as f32.
    Exact,
}

impl From<Precision> for formats::Precision {
    fn from(precision: Precision) -> Self {
        match precision {
            Precision::Fast => formats::Precision::Fast,
            Precision::Exact => formats::Precision::Exact,
        }
    }
}
