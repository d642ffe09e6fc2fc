//! The models that are loaded, by name.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use pith_engine::backend::Device;
use pith_engine::chat::{ChatError, ChatTemplate};
use pith_engine::runtime::{self, LoraId, Model, Probe, Tuner};
use pith_engine::shaders::Tuning;
use pith_engine::tokenizer::Tokenizer;

use crate::backend::{Chosen, Devices};
use crate::browser::heap_bytes;
use crate::error::WorkerError;
use crate::fit::{BESIDE_BYTES, WASM_BYTES_MAX};
use crate::grammar::Vocabulary;
use crate::hash::Hash;
use crate::notify::Notify;
use crate::pages::Pages;
use crate::protocol::{LoraUse, MemoryReport, ModelInfo, ModelMemory};
use crate::transfer_buffer::TransferBuffer;
use crate::wish::{LoraWish, Recipe, Wish};

/// The name under which the summariser looks for an embedding model.
pub const EMBEDDING: &str = "embedding";

/// A loaded model with what belongs to it.
pub struct Resident {
    /// Its weights, plan and caches.
    pub model: Model,
    /// Where it runs.
    pub chosen: Chosen,
    /// Absent where the file has none.
    pub tokenizer: Option<Rc<Tokenizer>>,
    /// Its tokenizer in the module for formats, once one was asked for.
    pub vocabulary: Option<Rc<Vocabulary>>,
    /// Absent for embedding models and without a tokenizer. A template that cannot be read does not keep the model from
    /// continuing plain text.
    pub chat: Option<Result<ChatTemplate, ChatError>>,
    /// Its adapters, by the names that requests call them.
    pub loras: BTreeMap<String, LoraId>,
    /// As the page sees it.
    pub info: ModelInfo,
    /// Of its files, where they are in the store.
    pub sha256: Option<Hash>,
    /// Prompts that are to be kept on the disk when there is nothing else to do.
    pub to_keep: VecDeque<Vec<u32>>,
    /// Shapes of kernels that are to be tried when there is nothing else to do.
    pub tuner: Option<Tuner>,
    /// What its device was asked.
    pub probe: Probe,
    /// What it was made from.
    pub recipe: Recipe,
    /// When it was used last, in the worker's time.
    pub used_ms: f64,
    /// Which of all that were loaded it is.
    pub epoch: u32,
}

impl Resident {
    /// True where its device is gone.
    pub fn is_lost(&self) -> bool {
        self.chosen.device.lost().is_some()
    }

    /// Its tokenizer.
    ///
    /// # Errors
    /// `NoTokenizer`.
    pub fn tokenizer(&self) -> Result<&Tokenizer, WorkerError> {
        self.tokenizer.as_deref().ok_or_else(|| WorkerError::NoTokenizer { name: self.info.name.clone() })
    }

    /// True where just this adapter is attached.
    pub fn has_lora(&self, wish: &LoraWish) -> bool {
        wish.source.is_stable() && self.recipe.loras.iter().any(|(known, _)| known == wish)
    }

    /// Lets what follows use this adapter, or none.
    ///
    /// # Errors
    /// `LoraNotLoaded`.
    pub fn use_lora(&mut self, lora: Option<&LoraUse>) -> Result<(), WorkerError> {
        let Some(LoraUse { name, scale }) = lora else { return Ok(self.model.use_lora(None)?) };
        let not_loaded = || WorkerError::LoraNotLoaded { model: self.info.name.clone(), name: name.clone() };
        let id = *self.loras.get(name).ok_or_else(not_loaded)?;
        Ok(self.model.use_lora(Some(runtime::LoraUse { id, factor: *scale }))?)
    }

    /// Has a prompt kept on the disk when there is nothing else to do: the last few of several.
    pub fn keep_later(&mut self, ids: &[u32]) {
        const TO_KEEP_MAX: usize = 4;
        if self.to_keep.iter().any(|other| other == ids) {
            return;
        }
        if self.to_keep.len() >= TO_KEEP_MAX {
            self.to_keep.pop_front();
        }
        self.to_keep.push_back(ids.to_vec());
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

/// What models that are being loaded will take, by the kind of their device.
#[derive(Default)]
pub struct Reservations {
    bytes: RefCell<BTreeMap<&'static str, u64>>,
    ended: Cell<u32>,
    changed: Notify,
}

/// One of them. It ends with this value.
pub struct Reservation {
    all: Rc<Reservations>,
    kind: &'static str,
    bytes: u64,
}

impl Reservations {
    /// What they take of a kind of device.
    pub fn bytes(&self, kind: &str) -> u64 {
        self.bytes.borrow().get(kind).copied().unwrap_or_default()
    }

    /// Adds one.
    pub fn add(self: &Rc<Self>, kind: &'static str, bytes: u64) -> Reservation {
        *self.bytes.borrow_mut().entry(kind).or_default() += bytes;
        Reservation { all: Rc::clone(self), kind, bytes }
    }

    /// Waits until one ends.
    pub async fn end_of_one(&self) {
        let before = self.ended.get();
        self.changed.wait(|| (self.ended.get() != before).then_some(())).await;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(bytes) = self.all.bytes.borrow_mut().get_mut(self.kind) {
            *bytes = bytes.saturating_sub(self.bytes);
        }
        self.all.ended.set(self.all.ended.get().wrapping_add(1));
        self.all.changed.notify();
    }
}

/// Everything that jobs share. One job at a time has it.
#[derive(Default)]
pub struct Residency {
    models: BTreeMap<String, Resident>,
    /// Of models that are being loaded.
    pub reserved: Rc<Reservations>,
    /// Models that are not in memory, because their device was lost or to save it, until a request makes them again.
    absent: BTreeMap<String, Recipe>,
    /// Open devices.
    pub devices: Devices,
    /// The transfer buffer, made at the first load.
    pub buffer: TransferBuffer,
    /// Pages that were digested.
    pub pages: Pages,
    /// Models that were loaded so far.
    epoch: u32,
}

impl Residency {
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
        let usable = resident.recipe.wish == *wish && !resident.is_lost();
        (usable && wish.source.is_stable()).then_some(resident)
    }

    /// True where a model is called `name`.
    pub fn has(&self, name: &str) -> bool {
        self.models.contains_key(name) || self.absent.contains_key(name)
    }

    /// Makes a model resident, in the place of one of its name.
    pub fn insert(&mut self, resident: Resident) {
        self.remove(&resident.info.name);
        self.epoch += 1;
        let resident = Resident { epoch: self.epoch, ..resident };
        self.models.insert(resident.info.name.clone(), resident);
    }

    /// Frees the model called `name` and its adapters, if there is one.
    pub fn remove(&mut self, name: &str) -> bool {
        if name == EMBEDDING {
            self.pages.forget_vectors();
        }
        let was_absent = self.absent.remove(name).is_some();
        self.models.remove(name).is_some() || was_absent
    }

    /// Takes a model out of memory. The next request for it makes it again.
    pub fn rest(&mut self, name: &str) {
        if let Some(resident) = self.models.remove(name) {
            self.absent.insert(name.into(), resident.recipe);
        }
    }

    /// Notes a model as one that the next request makes again, and frees what there is of it.
    pub fn put_off(&mut self, recipe: Recipe) {
        self.models.remove(&recipe.wish.name);
        self.absent.insert(recipe.wish.name.clone(), recipe);
    }

    /// What a model that is not in memory is made from.
    pub fn absent(&self, name: &str) -> Option<&Recipe> {
        self.absent.get(name)
    }

    /// True where the model called `name` has lost its device.
    pub fn has_lost(&self, name: &str) -> bool {
        self.models.get(name).is_some_and(Resident::is_lost)
    }

    /// Takes models whose device was lost out of memory.
    pub fn rest_lost(&mut self) {
        let lost =
            self.models.iter().filter(|(_, resident)| resident.is_lost()).map(|(name, _)| name.clone());
        for name in lost.collect::<Vec<_>>() {
            self.rest(&name);
        }
    }

    /// Takes all models out of memory until they are asked for.
    pub fn rest_all(&mut self) {
        for name in self.models.keys().cloned().collect::<Vec<_>>() {
            self.rest(&name);
        }
        self.devices.rest();
    }

    /// What models have of the memory of a kind of device, with those that are being loaded.
    pub fn used_bytes(&self, kind: &str) -> u64 {
        let models = self.models.values().filter(|resident| resident.chosen.device.info().kind == kind);
        let loaded_bytes: u64 = models.map(|resident| resident.model.memory().total_bytes()).sum();
        loaded_bytes + self.reserved.bytes(kind)
    }

    /// Frees what a new model needs: where the old one of its name and the others leave no room for it, first that one,
    /// then those that were not used for longest. Where there is room the old one stays until it is replaced.
    pub fn make_room(&mut self, name: &str, device: &Device, need_bytes: u64, budget_bytes: u64) {
        let kind = device.info().kind;
        while self.used_bytes(kind) + need_bytes > budget_bytes {
            if self.models.contains_key(name) {
                self.remove(name);
                continue;
            }
            let others = self.models.values().filter(|resident| resident.chosen.device.info().kind == kind);
            let Some(oldest) = others.min_by(|a, b| a.used_ms.total_cmp(&b.used_ms)) else { return };
            let oldest = oldest.info.name.clone();
            self.rest(&oldest);
        }
    }

    /// A prompt that is to be kept on the disk, and which loaded model has read it.
    pub fn next_to_keep(&mut self) -> Option<(String, u32, Vec<u32>)> {
        self.models.iter_mut().find_map(|(name, resident)| {
            resident.to_keep.pop_front().map(|ids| (name.clone(), resident.epoch, ids))
        })
    }

    /// The model whose kernels are to be tried next.
    pub fn next_to_tune(&self) -> Option<String> {
        let is_next = |resident: &&Resident| resident.tuner.is_some() && !resident.is_lost();
        self.models.values().find(is_next).map(|resident| resident.info.name.clone())
    }

    /// Keeps the fastest shapes for models like the one called `name`.
    pub async fn keep_tuning(&mut self, name: &str, tuning: Tuning) {
        if let Some(resident) = self.models.get(name) {
            self.devices.keep_tuning(&resident.chosen, &resident.probe, tuning).await;
        }
    }

    /// What is resident where.
    pub fn memory(&self) -> MemoryReport {
        let of = |resident: &Resident| ModelMemory {
            name: resident.info.name.clone(),
            kind: resident.info.backend.kind.clone(),
            memory: resident.model.memory().into(),
        };
        MemoryReport {
            models: self.models.values().map(of).collect(),
            staging_bytes: self.buffer.bytes(),
            wasm_heap_bytes: heap_bytes(),
            idle: self.absent.keys().cloned().collect(),
        }
    }

    /// All models, by name.
    pub fn infos(&self) -> Vec<ModelInfo> {
        self.models.values().map(|resident| resident.info.clone()).collect()
    }

    /// On the CPU the weights live in the wasm memory, which ends at 4 GiB; running out there would kill the worker.
    ///
    /// # Errors
    /// `OverMemory`.
    pub fn fits_into_wasm(&self, need_bytes: u64) -> Result<(), WorkerError> {
        let models = self.models.values().filter(|resident| !resident.chosen.device.works_by_itself());
        let local_bytes: u64 = models.map(|resident| resident.model.memory().local_bytes()).sum();
        let have_bytes = WASM_BYTES_MAX.saturating_sub(local_bytes + self.reserved.bytes("cpu"));
        let need_bytes = need_bytes + BESIDE_BYTES;
        if need_bytes > have_bytes { Err(WorkerError::OverMemory { need_bytes, have_bytes }) } else { Ok(()) }
    }
}
