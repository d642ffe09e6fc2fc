//! The models that are loaded, by name.

use std::collections::BTreeMap;

use pith_engine::chat::{ChatError, ChatTemplate};
use pith_engine::sequence::Model;
use pith_engine::tokenizer::Tokenizer;

use crate::backend::{Chosen, Devices};
use crate::error::WorkerError;
use crate::load::{Origin, Wish, load};
use crate::pages::Pages;
use crate::protocol::ModelInfo;
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
    /// As the page sees it.
    pub info: ModelInfo,
    /// What was asked for, and where its bytes can be read again when the device is lost.
    pub wish: Wish,
    /// The opened source.
    pub origin: Origin,
}

impl Resident {
    /// Its tokenizer.
    ///
    /// # Errors
    /// `NoTokenizer`.
    pub fn tokenizer(&self) -> Result<&Tokenizer, WorkerError> {
        self.tokenizer.as_ref().ok_or_else(|| WorkerError::NoTokenizer { name: self.info.name.clone() })
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

/// Everything that jobs share. One job at a time has it.
#[derive(Default)]
pub struct Residency {
    models: BTreeMap<String, Resident>,
    /// Open devices.
    pub devices: Devices,
    /// The transfer buffers, made at the first load.
    pub transfer: Transfer,
    /// Pages that were digested.
    pub pages: Pages,
}

impl Residency {
    /// The model called `name`. When its device was lost it is loaded again, on a new one.
    ///
    /// # Errors
    /// `ModelNotLoaded`; what loading gives, after a loss.
    pub async fn model(&mut self, name: &str, ticket: &Ticket) -> Result<&mut Resident, WorkerError> {
        let lost = self.models.get(name).is_some_and(|resident| resident.chosen.device.lost().is_some());
        if lost && let Some(resident) = self.models.remove(name) {
            let Resident { model, wish, origin, .. } = resident;
            drop(model);
            load(self, wish, origin, ticket).await?;
        }
        self.models.get_mut(name).ok_or_else(|| WorkerError::ModelNotLoaded { name: name.into() })
    }

    /// The model of this name that is loaded just as wished.
    pub fn same(&self, wish: &Wish) -> Option<&Resident> {
        let resident = self.models.get(&wish.name)?;
        let usable = resident.wish == *wish && resident.chosen.device.lost().is_none();
        (usable && wish.source.is_stable()).then_some(resident)
    }

    /// True where a model is called `name`.
    pub fn has(&self, name: &str) -> bool {
        self.models.contains_key(name)
    }

    /// Makes a model resident.
    pub fn insert(&mut self, resident: Resident) {
        self.models.insert(resident.info.name.clone(), resident);
    }

    /// Frees the model called `name`, if there is one.
    pub fn remove(&mut self, name: &str) -> bool {
        if name == EMBEDDING {
            self.pages.forget_vectors();
        }
        self.models.remove(name).is_some()
    }

    /// All models, by name.
    pub fn infos(&self) -> Vec<ModelInfo> {
        self.models.values().map(|resident| resident.info.clone()).collect()
    }
}
