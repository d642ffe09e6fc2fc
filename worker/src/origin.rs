//! Where the files of a model or an adapter lie, and how they are opened: one file, or all those of a split model.

use pith_engine::gguf::{GgufError, Header, HeaderReader, Progress};
use pith_engine::plan::Piece;
use wasm_bindgen::JsCast;
use web_sys::{Blob, File};

use crate::download::download;
use crate::error::{Code, WorkerError};
use crate::protocol::ModelSource;
use crate::source::{ByteSource, open_packaged};
use crate::split::{Claim, addresses, arrange};
use crate::store::{Store, remotes};
use crate::ticket::Ticket;

/// Files that can be opened again without asking the page, in any order.
#[derive(Debug, Clone)]
pub struct Origin(Vec<Place>);

/// One of them.
#[derive(Debug, Clone)]
enum Place {
    /// A local or packaged file, and its name.
    Blob(Blob, String),
    /// The name of a stored file.
    Stored(String),
}

impl ModelSource {
    /// True where the same words mean the same bytes.
    pub fn is_stable(&self) -> bool {
        !matches!(self, ModelSource::File)
    }
}

impl Origin {
    /// Makes a source readable, downloading first what is not stored yet.
    ///
    /// # Errors
    /// Those of the download and the store; `BadMessage` where local files were announced and none came.
    pub async fn find(
        source: &ModelSource,
        files: Vec<Blob>,
        ticket: &Ticket,
    ) -> Result<Origin, WorkerError> {
        match source {
            ModelSource::Packaged { url } => Self::packaged(url, ticket).await,
            ModelSource::File if files.is_empty() => {
                Err(WorkerError::BadMessage { why: "the message carries no file".into() })
            }
            ModelSource::File => {
                let name = |blob: &Blob| blob.dyn_ref::<File>().map(File::name).unwrap_or_default();
                Ok(Origin(files.into_iter().map(|blob| Place::Blob(blob.clone(), name(&blob))).collect()))
            }
            ModelSource::Url { url } => match Store::open().await {
                Ok(store) => {
                    let files = remotes(url);
                    download(&store, &files, url, ticket).await?;
                    Ok(Origin(files.into_iter().map(|file| Place::Stored(file.name)).collect()))
                }
                // Without storage the model still works, from the browser's memory and for this session.
                Err(WorkerError::StorageUnavailable { .. }) => Self::packaged(url, ticket).await,
                Err(error) => Err(error),
            },
        }
    }

    async fn packaged(named: &str, ticket: &Ticket) -> Result<Origin, WorkerError> {
        let mut places = Vec::new();
        for url in addresses(named) {
            let blob = open_packaged(&url, named, ticket).await?;
            let name = url.rsplit('/').next().unwrap_or_default().into();
            places.push(Place::Blob(blob, name));
        }
        Ok(Origin(places))
    }

    /// Opens all files and reads their headers. Stored ones that are damaged are deleted.
    ///
    /// # Errors
    /// What the files refuse; `PartsMissing`, `WrongPart`.
    pub async fn open(&self) -> Result<OpenFiles, WorkerError> {
        let mut files = Vec::with_capacity(self.0.len());
        for place in &self.0 {
            let file = place.open().await;
            forget_damaged(std::slice::from_ref(place), &file).await;
            files.push(file?);
        }
        let files = join(files);
        self.forget_damaged(&files).await;
        files
    }

    /// Deletes stored files that turned out to be damaged, so that the next attempt downloads them again.
    pub async fn forget_damaged<T>(&self, result: &Result<T, WorkerError>) {
        forget_damaged(&self.0, result).await;
    }
}

impl Place {
    async fn open(&self) -> Result<(Claim, (ByteSource, Header)), WorkerError> {
        let (source, name) = match self {
            Place::Blob(blob, name) => (ByteSource::Blob(blob.clone()), name),
            Place::Stored(name) => (Store::open().await?.read(name).await?, name),
        };
        let header = read_header(&source)?;
        Ok((Claim::new(name, header.part()?), (source, header)))
    }
}

async fn forget_damaged<T>(places: &[Place], result: &Result<T, WorkerError>) {
    let Err(error) = result else { return };
    if !matches!(error.code(), Code::NotGguf | Code::Truncated | Code::BadFile | Code::WrongPart) {
        return;
    }
    let Ok(store) = Store::open().await else { return };
    for place in places {
        if let Place::Stored(name) = place {
            // Where it cannot be deleted, the user is told the same thing again, and can delete it.
            let _ = store.delete_file(name).await;
        }
    }
}

fn join(files: Vec<(Claim, (ByteSource, Header))>) -> Result<OpenFiles, WorkerError> {
    let (sources, headers): (Vec<_>, Vec<_>) = arrange(files)?.into_iter().unzip();
    let header = Header::join(headers).map_err(|error| match error {
        // Each file was read, so that it is none of them alone.
        GgufError::DuplicateTensor { .. } => WorkerError::WrongPart { why: error.to_string() },
        error => error.into(),
    })?;
    Ok(OpenFiles { header, sources })
}

/// The open files of a model, in order.
pub struct OpenFiles {
    /// Of all of them.
    pub header: Header,
    sources: Vec<ByteSource>,
}

impl OpenFiles {
    /// Of all files together.
    ///
    /// # Errors
    /// `FileUnreadable`.
    pub fn len_bytes(&self) -> Result<u64, WorkerError> {
        self.sources.iter().map(ByteSource::len_bytes).sum()
    }

    /// Reads a piece; `into` has its length.
    ///
    /// # Errors
    /// `FileUnreadable`.
    pub fn read(&self, piece: &Piece, into: &mut [u8]) -> Result<(), WorkerError> {
        let source = self.sources.get(piece.file);
        let source = source.ok_or(WorkerError::Internal { why: format!("no file {}", piece.file) })?;
        source.read_at(piece.offset_bytes, into)
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
