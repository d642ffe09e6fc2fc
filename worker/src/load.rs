//! From a source of bytes to a resident model: header, then the weights piece by piece through the transfer buffers.

use pith_engine::chat::{ChatTemplate, TemplateSource};
use pith_engine::gguf::{Header, HeaderReader, Metadata, Progress};
use pith_engine::sequence::{LoadOptions, Loading};
use pith_engine::tokenizer::{Tokenizer, TokenizerError};
use web_sys::Blob;

use crate::browser::{heap_bytes, now_ms};
use crate::download::download;
use crate::error::{Code, WorkerError};
use crate::protocol::{BackendChoice, ModelInfo, ModelSource, Stage};
use crate::residency::{Residency, Resident};
use crate::source::{ByteSource, open_packaged};
use crate::store::{Store, name_of_url};
use crate::ticket::Ticket;

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
}

/// A source that can be opened again without asking the page.
#[derive(Debug, Clone)]
pub enum Origin {
    /// A local or packaged file.
    Blob(Blob),
    /// The name of a stored file.
    Stored(String),
}

impl ModelSource {
    /// True where the same words mean the same bytes.
    pub fn is_stable(&self) -> bool {
        !matches!(self, ModelSource::File)
    }
}

/// Makes the source readable, downloading it first where it is not stored yet.
///
/// # Errors
/// Those of the download and the store; `BadMessage` where a local file was announced and none came.
pub async fn open(source: &ModelSource, file: Option<Blob>, ticket: &Ticket) -> Result<Origin, WorkerError> {
    match source {
        ModelSource::Packaged { url } => open_packaged(url, ticket).await.map(Origin::Blob),
        ModelSource::File => file
            .map(Origin::Blob)
            .ok_or_else(|| WorkerError::BadMessage { why: "the message carries no file".into() }),
        ModelSource::Url { url } => {
            let store = match Store::open().await {
                Ok(store) => store,
                // Without storage the model still works, from the browser's memory and for this session.
                Err(WorkerError::StorageUnavailable { .. }) => {
                    return open_packaged(url, ticket).await.map(Origin::Blob);
                }
                Err(error) => return Err(error),
            };
            let name = name_of_url(url);
            if !store.has(&name).await {
                download(&store, url, &name, ticket).await?;
            }
            Ok(Origin::Stored(name))
        }
    }
}

/// Loads a model and makes it resident, replacing one of its name.
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
    let (start_ms, start_bytes) = (now_ms(), heap_bytes());
    ticket.progress(Stage::Load, 0, 0);
    let source = match &origin {
        Origin::Blob(blob) => ByteSource::Blob(blob.clone()),
        Origin::Stored(name) => Store::open().await?.read(name).await?,
    };
    let header = read_header(&source)?;
    let tokenizer = tokenizer(&header.metadata)?;
    let chat = tokenizer.as_ref().map(|tokenizer| ChatTemplate::from_metadata(&header.metadata, tokenizer));
    let chosen = residency.devices.choose(wish.backend).await?;
    // Two copies of a large model would not fit: the old one goes first.
    residency.remove(&wish.name);
    if chosen.device.info().kind == "cpu" {
        fits_into_wasm(source.len_bytes()?, residency)?;
    }

    let context_tokens = wish.context_tokens.map(|tokens| tokens as usize);
    let options = LoadOptions { context_tokens, ..LoadOptions::default() };
    let mut loading = Loading::start(&header, &chosen.device, &options).await?;
    drop(header);
    let total_bytes = loading.total_bytes();
    let mut done_bytes = 0;
    while let Some(piece) = loading.next().cloned() {
        ticket.checkpoint().await?;
        let (buffer, closes_round) = residency.transfer.next(piece.len_bytes);
        source.read_at(piece.offset_bytes, buffer)?;
        loading.accept(buffer)?;
        if closes_round {
            loading.settle().await?;
        }
        done_bytes += piece.len_bytes as u64;
        ticket.progress(Stage::Load, done_bytes, total_bytes);
    }
    drop(source);
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
    };
    residency.insert(Resident { model, chosen, tokenizer, chat, info: info.clone(), wish, origin });
    Ok(info)
}

/// On the CPU the weights live in the wasm memory, which ends at 4 GiB; running out there would kill the worker.
fn fits_into_wasm(weights_bytes: u64, residency: &Residency) -> Result<(), WorkerError> {
    const WASM_BYTES_MAX: u64 = 1 << 32;
    // KV cache, activations, pages, and what the heap loses to fragments.
    const BESIDE_BYTES: u64 = 512 << 20;
    let resident = residency.infos().into_iter().filter(|model| model.backend.kind == "cpu");
    let used_bytes: u64 = resident.map(|model| model.weights_bytes + model.kv_bytes).sum();
    let have_bytes = WASM_BYTES_MAX.saturating_sub(used_bytes);
    let need_bytes = weights_bytes + BESIDE_BYTES;
    if need_bytes > have_bytes { Err(WorkerError::OverMemory { need_bytes, have_bytes }) } else { Ok(()) }
}

/// Deletes a stored file that turned out to be damaged, so that the next attempt downloads it again.
pub async fn forget_damaged<T>(origin: &Origin, result: &Result<T, WorkerError>) {
    let damaged =
        |error: &WorkerError| matches!(error.code(), Code::NotGguf | Code::Truncated | Code::BadFile);
    if let (Origin::Stored(name), Err(error)) = (origin, result)
        && damaged(error)
        && let Ok(store) = Store::open().await
    {
        // Where it cannot be deleted, the user is told the same thing again, and can delete it.
        let _ = store.delete(name).await;
    }
}

/// Reads the header and nothing behind it.
fn read_header(source: &ByteSource) -> Result<Header, WorkerError> {
    const FIRST_BYTES: u64 = 64 * 1024;
    const STEP_BYTES_MAX: u64 = 1 << 20;
    let len_bytes = source.len_bytes()?;
    let mut reader = HeaderReader::new(Some(len_bytes));
    let mut buffer = Vec::new();
    let (mut at_bytes, mut want_bytes) = (0, FIRST_BYTES);
    loop {
        let step_bytes = want_bytes.clamp(FIRST_BYTES, STEP_BYTES_MAX).min(len_bytes - at_bytes);
        buffer.resize(step_bytes as usize, 0);
        source.read_at(at_bytes, &mut buffer)?;
        at_bytes += step_bytes;
        match reader.push(&buffer)? {
            Progress::Done(header) => return Ok(*header),
            // The reader knows the length and refuses a header that goes past it; this keeps the loop finite by itself.
            Progress::NeedMore { .. } if at_bytes == len_bytes => {
                return Err(WorkerError::Engine {
                    code: "gguf_truncated",
                    detail: format!("the file ends inside its header, after {len_bytes} bytes"),
                });
            }
            Progress::NeedMore { at_least_bytes } => want_bytes = at_least_bytes,
        }
    }
}

/// The tokenizer, where the file has one. Without it a model still takes and gives ids.
fn tokenizer(metadata: &Metadata) -> Result<Option<Tokenizer>, WorkerError> {
    match Tokenizer::from_metadata(metadata) {
        Ok(tokenizer) => Ok(Some(tokenizer)),
        Err(TokenizerError::NoTokenizer) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
