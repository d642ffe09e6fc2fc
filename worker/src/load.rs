//! From files to a resident model: header, then the weights piece by piece through the transfer buffers.

use std::collections::BTreeMap;

use pith_engine::chat::{ChatTemplate, TemplateSource};
use pith_engine::gguf::Metadata;
use pith_engine::plan::Piece;
use pith_engine::sequence::{Attaching, Error, LoadOptions, Loading};
use pith_engine::tokenizer::{Tokenizer, TokenizerError};

use crate::browser::{heap_bytes, now_ms};
use crate::error::WorkerError;
use crate::origin::{OpenFiles, Origin};
use crate::protocol::{BackendChoice, CacheType, ModelInfo, ModelSource, Stage};
use crate::residency::{Recipe, Residency, Resident};
use crate::ticket::Ticket;
use crate::transfer::Transfer;

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
}

/// Loads a model and makes it resident, replacing one of its name. Stored files that turn out to be damaged are deleted.
///
/// # Errors
/// What the file, the device or the source refuse; `Cancelled`. A model of the same name is gone then if its memory
/// had to make room already.
pub async fn load(
    residency: &mut Residency,
    wish: Wish,
    origin: Origin,
    ticket: &Ticket,
) -> Result<ModelInfo, WorkerError> {
    let start = (now_ms(), heap_bytes());
    ticket.progress(Stage::Load, 0, 0);
    let files = origin.open().await?;
    let recipe = Recipe { wish, origin: origin.clone(), adapters: Vec::new() };
    let result = make(residency, recipe, files, start, ticket).await;
    origin.forget_damaged(&result).await;
    result
}

async fn make(
    residency: &mut Residency,
    recipe: Recipe,
    files: OpenFiles,
    (start_ms, start_bytes): (f64, u64),
    ticket: &Ticket,
) -> Result<ModelInfo, WorkerError> {
    let wish = &recipe.wish;
    let metadata = &files.header.metadata;
    if metadata.str("general.type") == Some("adapter") {
        return Err(WorkerError::NotAModel { name: wish.name.clone() });
    }
    let tokenizer = tokenizer(metadata)?;
    let chat = tokenizer.as_ref().map(|tokenizer| ChatTemplate::from_metadata(metadata, tokenizer));
    let chosen = residency.devices.choose(wish.backend).await?;
    // Two copies of a large model would not fit: the old one goes first.
    residency.remove(&wish.name);
    if chosen.device.info().kind == "cpu" {
        residency.fits_into_wasm(files.len_bytes()?)?;
    }

    let options = LoadOptions {
        context_tokens: wish.context_tokens.map(|tokens| tokens as usize),
        slice_tokens: None,
        cache: wish.cache_type.into(),
    };
    let mut loading = Loading::start(&files.header, &chosen.device, &options).await?;
    feed(&mut loading, &files, &mut residency.transfer, ticket).await?;
    drop(files);
    ticket.progress(Stage::Compile, 0, 1);
    let model = loading.finish().await?;
    ticket.progress(Stage::Compile, 1, 1);

    let facts = model.info();
    let info = ModelInfo {
        name: wish.name.clone(),
        title: facts.title.clone(),
        architecture: facts.architecture.clone(),
        encoder: facts.encoder,
        vocab: facts.vocab as u32,
        context_tokens: facts.context_tokens as u32,
        backend: chosen.info(),
        weights_bytes: facts.weights_bytes,
        kv_bytes: facts.kv_bytes,
        load_ms: now_ms() - start_ms,
        heap_growth_bytes: heap_bytes() - start_bytes,
        chat: chat.as_ref().is_some_and(|c| c.as_ref().is_ok_and(|c| c.source() != TemplateSource::Plain)),
        adapters: Vec::new(),
    };
    let adapters = BTreeMap::new();
    residency.insert(Resident { model, chosen, tokenizer, chat, adapters, info: info.clone(), recipe });
    Ok(info)
}

/// What takes pieces of files: a model, or an adapter for one.
pub trait Intake {
    /// Bytes that will be read.
    fn total_bytes(&self) -> u64;
    /// The piece wanted next.
    fn next(&self) -> Option<&Piece>;
    /// Takes the bytes of that piece.
    fn accept(&mut self, bytes: &[u8]) -> Result<(), Error>;
    /// Waits for uploads in flight.
    async fn settle(&mut self) -> Result<(), Error>;
}

macro_rules! intake {
    ($($kind:ty),*) => {
        $(impl Intake for $kind {
            fn total_bytes(&self) -> u64 {
                self.total_bytes()
            }
            fn next(&self) -> Option<&Piece> {
                self.next()
            }
            fn accept(&mut self, bytes: &[u8]) -> Result<(), Error> {
                self.accept(bytes)
            }
            async fn settle(&mut self) -> Result<(), Error> {
                self.settle().await
            }
        })*
    };
}
intake!(Loading, Attaching<'_>);

/// Reads all pieces that are wanted.
///
/// # Errors
/// `FileUnreadable`, `Cancelled`, what the device reports.
pub async fn feed(
    intake: &mut impl Intake,
    files: &OpenFiles,
    transfer: &mut Transfer,
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let total_bytes = intake.total_bytes();
    let mut done_bytes = 0;
    while let Some(piece) = intake.next().cloned() {
        ticket.checkpoint().await?;
        let (buffer, closes_round) = transfer.next(piece.len_bytes);
        files.read(&piece, buffer)?;
        intake.accept(buffer)?;
        if closes_round {
            intake.settle().await?;
        }
        done_bytes += piece.len_bytes as u64;
        ticket.progress(Stage::Load, done_bytes, total_bytes);
    }
    Ok(())
}

/// The tokenizer, where the file has one. Without it a model still takes and gives ids.
fn tokenizer(metadata: &Metadata) -> Result<Option<Tokenizer>, WorkerError> {
    match Tokenizer::from_metadata(metadata) {
        Ok(tokenizer) => Ok(Some(tokenizer)),
        Err(TokenizerError::NoTokenizer) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
