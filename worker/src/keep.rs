//! Brings models into the store without loading them: from their address, or local files.

use web_sys::{Blob, File};

use wasm_bindgen::JsCast;

use crate::browser::BlobReader;
use crate::error::WorkerError;
use crate::hash::{Hash, joined};
use crate::incoming::Incoming;
use crate::kept_prompts::forget;
use crate::open_files::again_if_changed;
use crate::origin::Origin;
use crate::protocol::{Blobs, ModelSource, Outcome, Stage, StoredModel};
use crate::source::ByteSource;
use crate::store::{Remote, kept_names, names_of_model, shelf};
use crate::ticket::Ticket;

/// Stores a model. What an interruption leaves is continued by the next attempt.
///
/// # Errors
/// Those of a download and of the store; what is wrong with the file; `BadMessage` for a packaged one.
pub async fn store(
    source: &ModelSource,
    files: Vec<Blob>,
    ticket: &Ticket,
) -> Result<StoredModel, WorkerError> {
    let name = match source {
        ModelSource::Packaged { .. } => {
            return Err(WorkerError::BadMessage { why: "a packaged file is stored already".into() });
        }
        ModelSource::File => copy(files, ticket).await?,
        ModelSource::Url { .. } | ModelSource::Stored { .. } => download(source, ticket).await?,
    };
    shelf().await?.model(&name).await
}

/// Removes a stored model, and the prompts that were kept for it.
///
/// # Errors
/// `NotStored`, `InUse`, `Storage`.
pub async fn delete(name: &str) -> Result<Outcome, WorkerError> {
    let shelf = shelf().await?;
    let files = shelf.files(name).await.unwrap_or_default();
    let hashes: Option<Vec<Hash>> = files.iter().map(|record| record.sha256()).collect();
    shelf.delete(name).await?;
    if let Some(hashes) = hashes.filter(|hashes| !hashes.is_empty()) {
        forget(&joined(&hashes)).await;
    }
    Ok(Outcome::Ok)
}

async fn download(source: &ModelSource, ticket: &Ticket) -> Result<String, WorkerError> {
    let origin = Origin::find(source, Vec::new(), ticket).await?;
    let result = again_if_changed(async || {
        let files = origin.open(ticket).await?;
        files.arrive(ticket).await?;
        Ok(files.stored_name().unwrap_or_default())
    });
    let result = result.await;
    if let Err(error) = &result {
        origin.forget_damaged(error).await;
    }
    let name = result?;
    // What only the whole file can tell, such as a length that the server never told.
    origin.open(ticket).await?;
    Ok(name)
}

/// Copies local files into the store.
async fn copy(files: Vec<Blob>, ticket: &Ticket) -> Result<String, WorkerError> {
    let mut files: Vec<(String, Blob)> = files
        .into_iter()
        .map(|blob| (blob.dyn_ref::<File>().map(File::name).unwrap_or_default(), blob))
        .collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    let blobs: Vec<Blob> = files.iter().map(|(_, blob)| blob.clone()).collect();
    // They must be a model before they take room.
    Origin::find(&ModelSource::File, blobs, ticket).await?.open(ticket).await?;
    let lens: Vec<(String, u64)> =
        files.iter().map(|(name, blob)| (name.clone(), blob.size() as u64)).collect();
    let total_bytes = lens.iter().map(|(_, len_bytes)| len_bytes).sum();
    let remotes = kept_names(&lens);
    let shelf = shelf().await?;
    shelf.expect_room(total_bytes, "").await?;
    let mut done_bytes = 0;
    for (remote, (_, blob)) in remotes.iter().zip(&files) {
        if let Err(error) = copy_file(remote, blob, done_bytes, total_bytes, ticket).await {
            // A local file is copied again faster than anybody asks what half of it is for.
            let _ = shelf.delete_file(&remote.name).await;
            return Err(error);
        }
        done_bytes += blob.size() as u64;
    }
    Ok(remotes.into_iter().next().map(|remote| remote.name).unwrap_or_default())
}

async fn copy_file(
    remote: &Remote,
    blob: &Blob,
    before_bytes: u64,
    total_bytes: u64,
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let shelf = shelf().await?;
    if Incoming::open_whole(&shelf, &remote.name, ticket).await?.is_some() {
        return Ok(());
    }
    let _lock = shelf.lock(&remote.name).await?;
    let file = Incoming::open_part(&shelf, remote, None).await?;
    let source = ByteSource::Blob(BlobReader::new(blob.clone()));
    let len_bytes = source.len_bytes()?;
    file.restart();
    file.learn_len(len_bytes);
    let mut buffer = Vec::new();
    let mut at_bytes = 0;
    while at_bytes < len_bytes {
        let take = file.write_bytes().min(len_bytes - at_bytes);
        buffer.resize(take as usize, 0);
        source.read_at(at_bytes, &mut buffer, ticket).await?;
        file.write(at_bytes, &buffer).await?;
        at_bytes += take;
        ticket.progress(Stage::Download, before_bytes + at_bytes, total_bytes);
        ticket.checkpoint().await?;
    }
    Ok(())
}

/// The files of a stored model, for the page.
///
/// # Errors
/// `NotStored`, `Storage`; `Damaged` where it is not whole.
pub async fn export(name: &str) -> Result<Outcome, WorkerError> {
    let shelf = shelf().await?;
    let (names, mut files) = (names_of_model(name), Vec::new());
    for record in shelf.files(name).await? {
        let Some(len_bytes) = record.ledger.len_bytes().filter(|_| record.is_whole()) else {
            return Err(WorkerError::Damaged { name: record.name, why: "it is not whole".into() });
        };
        files.push(shelf.store.blob(&record.name, len_bytes).await?);
    }
    Ok(Outcome::Files { names, files: Blobs(files) })
}
