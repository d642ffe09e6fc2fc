//! What pages asked to have loaded, as it is remembered.

use crate::fit::Wanted;
use crate::origin::Origin;
use crate::protocol::{BackendChoice, CacheType, ModelSource, Precision, WriterTier};

/// What a page asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// How requests call the model.
    pub name: String,
    /// Where its bytes are.
    pub source: ModelSource,
    /// Which executor.
    pub backend: BackendChoice,
    /// Positions to reserve.
    pub context_tokens: Option<u32>,
    /// How keys and values are stored.
    pub cache_type: CacheType,
    /// How exact products are.
    pub precision: Precision,
    /// Tries what seems too large, too.
    pub force: bool,
    /// What it may write, where that is known.
    pub tier: Option<WriterTier>,
}

impl Wish {
    /// What of it decides how much memory it takes.
    pub fn wanted(&self) -> Wanted {
        let context_tokens = self.context_tokens.map(|tokens| tokens as usize);
        Wanted { context_tokens, cache: self.cache_type.into(), precision: self.precision.into() }
    }
}

/// An adapter that a page asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct LoraWish {
    /// How requests call it.
    pub name: String,
    /// Where its bytes are.
    pub source: ModelSource,
}

/// What a resident model was made from, so that it can be made again when its device is lost.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// What was asked for.
    pub wish: Wish,
    /// The model's files.
    pub origin: Origin,
    /// What was asked for later, and its files.
    pub loras: Vec<(LoraWish, Origin)>,
}
