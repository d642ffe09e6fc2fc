//! From files to a resident model: header, then the weights transfer by transfer through the transfer buffer.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use futures_util::future::try_join;
use futures_util::lock::Mutex;
use pith_engine::chat::{self, TemplateSource};
use pith_engine::gguf::Metadata;
use pith_engine::planner::Transfer;
use pith_engine::runtime::{Attaching, Error, Loading, Model, Probe, Tuner};
use pith_engine::tokenizer::{Tokenizer, TokenizerError};

use crate::backend::Chosen;
use crate::browser::{heap_bytes, now_ms};
use crate::device_loss::explained;
use crate::error::{Code, WorkerError};
use crate::fit::{budget, need, suggestion, too_large};
use crate::hash::Hash;
use crate::open_files::{OpenFiles, again_if_changed};
use crate::origin::Origin;
use crate::protocol::{ModelInfo, Stage};
use crate::residency::{Reservation, Reservations, Residency, Resident};
use crate::ticket::Ticket;
use crate::transfer_buffer::TransferBuffer;
use crate::tune::is_tuned_when_idle;
use crate::verdicts;
use crate::wish::{Recipe, Wish};

/// Whose turn it is with what jobs share.
pub enum Access<'a> {
    /// A job that has it anyway.
    Held(&'a mut Residency),
    /// One that takes it for moments, so that others go on while a file arrives.
    Shared(&'a Mutex<Residency>),
}

impl Access<'_> {
    /// A job may have it for minutes: who waits for that long can be cancelled.
    async fn turn<T>(
        &mut self,
        ticket: &Ticket,
        work: impl AsyncFnOnce(&mut Residency) -> T,
    ) -> Result<T, WorkerError> {
        Ok(match self {
            Access::Held(residency) => work(residency).await,
            Access::Shared(residency) => work(&mut *ticket.unless_cancelled(residency.lock()).await?).await,
        })
    }
}

/// Loads a model and makes it resident, replacing one of its name, while its files arrive where they are not stored
/// yet. Stored files that turn out to be no model are deleted.
///
/// # Errors
/// What the file, the device or the source refuse; `TooLarge`, `NoRoom` before anything but headers is fetched;
/// `Cancelled`. A model of the same name is gone then if its memory had to make room already.
pub async fn load(
    access: &mut Access<'_>,
    wish: Wish,
    origin: Origin,
    ticket: &Ticket,
) -> Result<ModelInfo, WorkerError> {
    let start = (now_ms(), heap_bytes());
    ticket.progress(Stage::Load, 0, 0);
    let recipe = Recipe { wish, origin: origin.clone(), loras: Vec::new() };
    let result = loop {
        let result = again_if_changed(async || make(access, recipe.clone(), start, ticket).await).await;
        match &result {
            Err(error) if error.code() == Code::DeviceLost && ticket.may_recover() => {}
            _ => break result,
        }
    };
    match &result {
        Ok(_) => origin.prove(),
        Err(error) => origin.forget_damaged(error).await,
    }
    result
}

async fn make(
    access: &mut Access<'_>,
    recipe: Recipe,
    (start_ms, start_bytes): (f64, u64),
    ticket: &Ticket,
) -> Result<ModelInfo, WorkerError> {
    let wish = &recipe.wish;
    let files = recipe.origin.open(ticket).await?;
    let metadata = &files.header.metadata;
    if metadata.str("general.type") == Some("adapter") {
        return Err(WorkerError::NotAModel { name: wish.name.clone() });
    }
    let tokenizer = tokenizer(metadata)?;
    let chat = tokenizer.as_ref().map(|tokenizer| chat::template_of(metadata, tokenizer));
    let prepared = loop {
        let prepared = access
            .turn(ticket, async |residency: &mut Residency| prepare(residency, wish, &files, ticket).await);
        match (prepared.await.and_then(|prepared| prepared), &access) {
            (Ok(Prepared::Now(chosen, buffer, reservation)), _) => {
                break Ok((chosen, buffer, reservation));
            }
            (Ok(Prepared::Later(loads, _)), Access::Shared(_)) => {
                ticket.progress(Stage::Queue, 0, 1);
                if let Err(error) = ticket.unless_cancelled(loads.end_of_one()).await {
                    break Err(error);
                }
            }
            // The other loads wait for this job.
            (Ok(Prepared::Later(_, error)), Access::Held(_)) | (Err(error), _) => break Err(error),
        }
    };
    let (chosen, mut buffer, reservation) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            if error.code() != Code::DeviceLost {
                files.refuse().await;
            }
            return Err(error);
        }
    };
    let probe = Probe::like(&files.header, wish.cache_type.into());
    let filled = fill(&chosen, wish, files, &mut buffer, ticket).await;
    // Without it the next load makes another one.
    let _ = access.turn(ticket, async |residency: &mut Residency| residency.buffer = buffer).await;
    let (model, sha256) = match filled {
        Ok(filled) => filled,
        Err(error) => return Err(explained(error, || chosen.device.lost().is_some()).await),
    };

    let facts = model.info();
    let mut info = ModelInfo {
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
        loras: Vec::new(),
        tier: wish.tier,
    };
    if info.tier.is_none() {
        info.tier = verdicts::recall(&info, sha256).await;
    }
    let (loras, used_ms) = (BTreeMap::new(), now_ms());
    let tuner =
        if chosen.is_tuned || !is_tuned_when_idle(&chosen.device) { None } else { Tuner::new(&model) };
    let resident = Resident {
        model,
        chosen,
        tokenizer: tokenizer.map(Rc::new),
        vocabulary: None,
        chat,
        loras,
        info: info.clone(),
        sha256,
        to_keep: VecDeque::new(),
        tuner,
        probe,
        recipe,
        used_ms,
        epoch: 0,
    };
    access.turn(ticket, async |residency: &mut Residency| residency.insert(resident)).await?;
    drop(reservation);
    Ok(info)
}

/// What [`prepare`] gives.
enum Prepared {
    /// The memory is the model's.
    Now(Chosen, TransferBuffer, Reservation),
    /// Other loads have it: they come first. The error for those who cannot wait.
    Later(Rc<Reservations>, WorkerError),
}

/// Chooses the device, and makes room on it.
async fn prepare(
    residency: &mut Residency,
    wish: &Wish,
    files: &OpenFiles,
    ticket: &Ticket,
) -> Result<Prepared, WorkerError> {
    residency.rest_lost();
    let probe = Probe::like(&files.header, wish.cache_type.into());
    let chosen = residency.devices.choose(wish.backend, &probe, ticket).await?;
    let estimate = need(&files.header, &chosen.device, wish.wanted())?;
    let need_bytes = estimate.memory.total_bytes();
    let used_bytes = residency.used_bytes(chosen.device.info().kind);
    // It allocates as much as the model takes: some devices are lost by that.
    let budget = match budget(&chosen.device, &estimate.memory, used_bytes).await {
        Ok(budget) => budget,
        Err(error) => return Err(explained(error, || chosen.device.lost().is_some()).await),
    };
    if need_bytes > budget.bytes && !wish.force {
        let suggestion = suggestion(&files.header, &chosen.device, &estimate, budget.bytes);
        return Err(WorkerError::TooLarge { why: too_large(need_bytes, &budget, suggestion.as_ref()) });
    }
    if files.is_arriving() {
        files.expect_room().await?;
    }
    let kind = chosen.device.info().kind;
    let reserved_bytes = residency.reserved.bytes(kind);
    if reserved_bytes > 0 && reserved_bytes + need_bytes > budget.bytes {
        let have_bytes = budget.bytes.saturating_sub(reserved_bytes);
        let error = WorkerError::OverMemory { need_bytes, have_bytes };
        return Ok(Prepared::Later(Rc::clone(&residency.reserved), error));
    }
    residency.make_room(&wish.name, &chosen.device, need_bytes, budget.bytes);
    if kind == "cpu" {
        residency.fits_into_wasm(estimate.memory.local_bytes())?;
    }
    let reservation = residency.reserved.add(kind, need_bytes);
    Ok(Prepared::Now(chosen, std::mem::take(&mut residency.buffer), reservation))
}

/// The model with its weights and its pipelines, and the hash of its files.
async fn fill(
    chosen: &Chosen,
    wish: &Wish,
    files: OpenFiles,
    buffer: &mut TransferBuffer,
    ticket: &Ticket,
) -> Result<(Model, Option<Hash>), WorkerError> {
    let mut loading = Loading::start(&files.header, &chosen.device, &wish.wanted().options()).await?;
    let fed = try_join(files.arrive(ticket), feed(&mut loading, &files, buffer, ticket)).await;
    // Whatever else went wrong with bytes that are not those of the file.
    files.settle(ticket).await?;
    fed?;
    let sha256 = files.sha256();
    drop(files);
    ticket.progress(Stage::Compile, 0, 1);
    let model = loading.finish().await?;
    ticket.progress(Stage::Compile, 1, 1);
    Ok((model, sha256))
}

/// What takes transfers of files: a model, or an adapter for one.
pub trait Intake {
    /// Bytes that will be read.
    fn total_bytes(&self) -> u64;
    /// The transfer wanted next.
    fn next(&self) -> Option<&Transfer>;
    /// Takes the bytes of that transfer.
    fn accept(&mut self, bytes: &[u8]) -> Result<(), Error>;
    /// Waits while too much of what it took is in flight, `bytes` more than before.
    async fn throttle(&mut self, bytes: u64) -> Result<(), Error>;
}

macro_rules! intake {
    ($($kind:ty),*) => {
        $(impl Intake for $kind {
            fn total_bytes(&self) -> u64 {
                self.total_bytes()
            }
            fn next(&self) -> Option<&Transfer> {
                self.next()
            }
            fn accept(&mut self, bytes: &[u8]) -> Result<(), Error> {
                self.accept(bytes)
            }
            async fn throttle(&mut self, bytes: u64) -> Result<(), Error> {
                self.throttle(bytes).await
            }
        })*
    };
}
intake!(Loading, Attaching<'_>);

/// Reads all transfers that are wanted.
///
/// # Errors
/// `FileUnreadable`, `Cancelled`, what the device reports.
pub async fn feed(
    intake: &mut impl Intake,
    files: &OpenFiles,
    buffer: &mut TransferBuffer,
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let total_bytes = intake.total_bytes();
    let mut done_bytes = 0;
    while let Some(transfer) = intake.next().cloned() {
        ticket.checkpoint().await?;
        let bytes = buffer.first(transfer.len_bytes);
        files.read(&transfer, bytes, ticket).await?;
        intake.accept(bytes)?;
        intake.throttle(transfer.len_bytes as u64).await?;
        done_bytes += transfer.len_bytes as u64;
        // While files arrive that is what it waits for, and shows.
        if !files.is_arriving() {
            ticket.progress(Stage::Load, done_bytes, total_bytes);
        }
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
