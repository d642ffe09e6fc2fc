//! How many blocks a model has.

use super::error::ModelError;
use super::keys::Keys;

/// Most blocks of a model: far above any published one.
pub const LAYERS_MAX: usize = 512;

/// How many blocks a file has.
#[derive(Debug, Clone, Copy)]
pub struct Blocks {
    /// Those that run.
    pub run: usize,
    /// With those behind them, which predict further tokens and are passed over.
    pub listed: usize,
}

impl Blocks {
    pub fn read(keys: &Keys) -> Result<Self, ModelError> {
        let listed = keys.size("block_count", LAYERS_MAX)?;
        Ok(Blocks { run: listed - keys.count_or("nextn_predict_layers", 0, listed - 1)?, listed })
    }
}
