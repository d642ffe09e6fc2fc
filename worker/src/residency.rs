//! The models that are loaded, by name.

use std::collections::BTreeMap;

use pith_engine::chat::{ChatError, ChatTemplate};
use pith_engine::sequence::{self, AdapterId, Model};
use pith_engine::tokenizer::Tokenizer;

use crate::adapter::{AdapterWish, attach};
use crate::backend::{Chosen, Devices};
use crate::error::{Code, WorkerError};
use crate::load::{Wish, load};
use crate::origin::Origin;
use crate::pages::Pages;
use crate::protocol::{AdapterUse, ModelInfo};
use crate::ticket::Ticket;
use crate::transfer::Transfer;

/// The name under which the summariser looks for an embedding model.
pub const EMBEDDING: &str = "embedding";

/// A loaded model with what belongs to it.
pub struct Resident {
    /// Its weights, plan and caches.
    pub model: Model,
    /// Where it runs.
    pub chosen: Chosen,
    /// Absent where the file has none.
    pub tokenizer: Option<Tokenizer>,
    /// Absent for embedding models and without a tokenizer. A template that cannot be read does not keep the model from
    /// continuing plain text.
    pub chat: Option<Result<ChatTemplate, ChatError>>,
    /// Its adapters, by the names that requests call them.
    pub adapters: BTreeMap<String, AdapterId>,
    /// As the page sees it.
    pub info: ModelInfo,
    /// What it was made from.
    pub recipe: Recipe,
}

impl Resident {
    /// Its tokenizer.
    ///
    /// # Errors
    /// `NoTokenizer`.
    pub fn tokenizer(&self) -> Result<&Tokenizer, WorkerError> {
        self.tokenizer.as_ref().ok_or_else(|| WorkerError::NoTokenizer { name: self.info.name.clone() })
    }

    /// True where just this adapter is attached.
    pub fn has_adapter(&self, wish: &AdapterWish) -> bool {
        wish.source.is_stable() && self.recipe.adapters.iter().any(|(known, _)| known == wish)
    }

    /// Lets what follows use this adapter, or none.
    ///
    /// # Errors
    /// `AdapterNotLoaded`, `BadMessage` for a scale that is no number.
    fn use_adapter(&mut self, adapter: Option<&AdapterUse>) -> Result<(), WorkerError> {
        let Some(AdapterUse { name, scale }) = adapter else { return Ok(self.model.use_adapter(None)?) };
        if !scale.is_finite() {
            return Err(WorkerError::BadMessage { why: format!("an adapter cannot have the scale {scale}") });
        }
        let not_loaded =
            || WorkerError::AdapterNotLoaded { model: self.info.name.clone(), name: name.clone() };
        let id = *self.adapters.get(name).ok_or_else(not_loaded)?;
        Ok(self.model.use_adapter(Some(sequence::AdapterUse { id, factor: *scale }))?)
    }

    /// Says no when a text model is asked for vectors, or the other way round.
    ///
    /// # Errors
    /// `WrongModel`.
    pub fn expect_encoder(&self, encoder: bool) -> Result<(), WorkerError> {
        let needed = if encoder { "an embedding model" } else { "a language model" };
        if self.info.encoder == encoder {
            return Ok(());
        }
        Err(WorkerError::WrongModel { name: self.info.name.clone(), needed })
    }
}

/// What a resident model was made from, so that it can be made again when its device is lost.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// What was asked for.
    pub wish: Wish,
    /// The model's files.
    pub origin: Origin,
    /// What was asked for later, and its files.
    pub adapters: Vec<(AdapterWish, Origin)>,
}

/// Everything that jobs share. One job at a time has it.
#[derive(Default)]
pub struct Residency {
    models: BTreeMap<String, Resident>,
    /// Models whose device was lost, until a request makes them again.
    lost: BTreeMap<String, Recipe>,
    /// Open devices.
    pub devices: Devices,
    /// The transfer buffers, made at the first load.
    pub transfer: Transfer,
    /// Pages that were digested.
    pub pages: Pages,
}

impl Residency {
    /// The model called `name`, with this adapter or none until the next call. When its device was lost it is made
    /// again, on a new one.
    ///
    /// # Errors
    /// `ModelNotLoaded`, `AdapterNotLoaded`, `BadMessage` for a scale that is no number; what loading gives, after a
    /// loss.
    pub async fn model(
        &mut self,
        name: &str,
        adapter: Option<&AdapterUse>,
        ticket: &Ticket,
    ) -> Result<&mut Resident, WorkerError> {
        self.revive(name, ticket).await?;
        let resident = self.resident(name)?;
        resident.use_adapter(adapter)?;
        Ok(resident)
    }

    async fn revive(&mut self, name: &str, ticket: &Ticket) -> Result<(), WorkerError> {
        let is_lost = self.models.get(name).is_some_and(|resident| resident.chosen.device.lost().is_some());
        if is_lost && let Some(resident) = self.models.remove(name) {
            self.lost.insert(name.into(), resident.recipe);
        }
        let Some(recipe) = self.lost.get(name).cloned() else { return Ok(()) };
        let result = self.make_again(recipe.clone(), ticket).await;
        if result.is_err() {
            // The next request tries once more.
            self.models.remove(name);
            self.lost.insert(name.into(), recipe);
        }
        result
    }

    async fn make_again(&mut self, recipe: Recipe, ticket: &Ticket) -> Result<(), WorkerError> {
        let name = recipe.wish.name.clone();
        load(self, recipe.wish, recipe.origin, ticket).await?;
        for (wish, origin) in recipe.adapters {
            match attach(self, &name, wish, origin, ticket).await {
                Err(error) if matches!(error.code(), Code::Cancelled | Code::DeviceLost) => {
                    return Err(error);
                }
                // Its file is gone: a request that names it is told that it is not loaded, the others work.
                _ => {}
            }
        }
        Ok(())
    }

    /// The model called `name`, as it is.
    ///
    /// # Errors
    /// `ModelNotLoaded`.
    pub fn resident(&mut self, name: &str) -> Result<&mut Resident, WorkerError> {
        self.models.get_mut(name).ok_or_else(|| WorkerError::ModelNotLoaded { name: name.into() })
    }

    /// The model of this name that is loaded just as wished.
    pub fn same(&self, wish: &Wish) -> Option<&Resident> {
        let resident = self.models.get(&wish.name)?;
        let usable = resident.recipe.wish == *wish && resident.chosen.device.lost().is_none();
        (usable && wish.source.is_stable()).then_some(resident)
    }

    /// True where a model is called `name`.
    pub fn has(&self, name: &str) -> bool {
        self.models.contains_key(name) || self.lost.contains_key(name)
    }

    /// Makes a model resident.
    pub fn insert(&mut self, resident: Resident) {
        self.models.insert(resident.info.name.clone(), resident);
    }

    /// Frees the model called `name` and its adapters, if there is one.
    pub fn remove(&mut self, name: &str) -> bool {
        if name == EMBEDDING {
            self.pages.forget_vectors();
        }
        let was_lost = self.lost.remove(name).is_some();
        self.models.remove(name).is_some() || was_lost
    }

    /// All models, by name.
    pub fn infos(&self) -> Vec<ModelInfo> {
        self.models.values().map(|resident| resident.info.clone()).collect()
    }

    /// On the CPU the weights live in the wasm memory, which ends at 4 GiB; running out there would kill the worker.
    ///
    /// # Errors
    /// `OverMemory`.
    pub fn fits_into_wasm(&self, weights_bytes: u64) -> Result<(), WorkerError> {
        const WASM_BYTES_MAX: u64 = 1 << 32;
        // KV cache, activations, pages, and what the heap loses to fragments.
        const BESIDE_BYTES: u64 = 512 << 20;
        let resident = self.models.values().map(|r| &r.info).filter(|model| model.backend.kind == "cpu");
        let used_bytes: u64 = resident.map(|model| model.weights_bytes + model.kv_bytes).sum();
        let have_bytes = WASM_BYTES_MAX.saturating_sub(used_bytes);
        let need_bytes = weights_bytes + BESIDE_BYTES;
        if need_bytes > have_bytes { Err(WorkerError::OverMemory { need_bytes, have_bytes }) } else { Ok(()) }
    }
}
