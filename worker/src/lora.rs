//! LoRA adapters of resident models.

use futures_util::future::try_join;
use pith_engine::runtime::{Attaching, LoraId};

use crate::error::WorkerError;
use crate::load::feed;
use crate::open_files::{OpenFiles, again_if_changed};
use crate::origin::Origin;
use crate::protocol::{ModelInfo, Stage};
use crate::residency::{Residency, Resident};
use crate::ticket::Ticket;
use crate::transfer_buffer::TransferBuffer;
use crate::wish::LoraWish;

/// Gives the resident model called `model` an adapter, replacing one of its name. Stored files that turn out to be
/// damaged are deleted.
///
/// # Errors
/// `ModelNotLoaded`, `LoraMisfit`, what the file, the device or the source refuse; `Cancelled`. The model stays as
/// it was then.
pub async fn attach(
    residency: &mut Residency,
    model: &str,
    wish: LoraWish,
    origin: Origin,
    ticket: &Ticket,
) -> Result<ModelInfo, WorkerError> {
    ticket.progress(Stage::Load, 0, 0);
    let result = again_if_changed(async || read(residency, model, &origin, ticket).await).await;
    match &result {
        Ok(_) => origin.prove(),
        Err(error) => origin.forget_damaged(error).await,
    }
    let (id, bytes) = result?;

    let resident = residency.resident(model)?;
    resident.loras.insert(wish.name.clone(), id);
    resident.info.loras = resident.loras.keys().cloned().collect();
    resident.info.weights_bytes += bytes;
    resident.recipe.loras.retain(|(known, _)| known.name != wish.name);
    resident.recipe.loras.push((wish, origin));
    Ok(resident.info.clone())
}

/// The adapter of the files on the model's device, and its bytes there.
async fn read(
    residency: &mut Residency,
    model: &str,
    origin: &Origin,
    ticket: &Ticket,
) -> Result<(LoraId, u64), WorkerError> {
    let files = origin.open(ticket).await?;
    let len_bytes = files.len_bytes().unwrap_or_default();
    if residency.resident(model)?.chosen.device.info().kind == "cpu" {
        residency.fits_into_wasm(len_bytes)?;
    }
    // The model and the buffer are both the residency's.
    let mut buffer = std::mem::take(&mut residency.buffer);
    let result = match residency.resident(model) {
        Ok(resident) => upload(resident, &files, &mut buffer, ticket).await,
        Err(error) => Err(error),
    };
    residency.buffer = buffer;
    result
}

/// The adapter on the device, and its bytes there.
async fn upload(
    resident: &mut Resident,
    files: &OpenFiles,
    buffer: &mut TransferBuffer,
    ticket: &Ticket,
) -> Result<(LoraId, u64), WorkerError> {
    let mut attaching =
        Attaching::start(&files.header, &mut resident.model).await.map_err(|error| match error.code() {
            // Its architecture is the model's, but not its sizes or its parts.
            "wrong_shape" | "unsupported_tensor" => WorkerError::LoraMisfit { why: error.to_string() },
            _ => error.into(),
        })?;
    let bytes = attaching.total_bytes();
    let fed = try_join(files.arrive(ticket), feed(&mut attaching, files, buffer, ticket)).await;
    files.settle(ticket).await?;
    fed?;
    ticket.progress(Stage::Compile, 0, 1);
    let id = attaching.finish().await?;
    ticket.progress(Stage::Compile, 1, 1);
    Ok((id, bytes))
}
