//! Where the files of a model or an adapter lie, and how they are opened: one file, or all those of a split model.

use std::cell::Cell;
use std::rc::Rc;

use pith_engine::gguf::{GgufError, Header, HeaderReader, Progress};
use pith_engine::plan::Piece;
use wasm_bindgen::JsCast;
use web_sys::{Blob, File};

use crate::browser::Lock;
use crate::download::{Download, Goal, Tally};
use crate::error::{Code, WorkerError};
use crate::hash::Hash;
use crate::incoming::{HEADER_STEP_BYTES, Incoming};
use crate::protocol::{ModelSource, Stage};
use crate::source::{ByteSource, open_packaged};
use crate::split::{Claim, addresses, arrange};
use crate::store::{Remote, Shelf, names_of_model, remotes, shelf};
use crate::ticket::Ticket;

/// Files that can be opened again without asking the page, in any order.
#[derive(Debug, Clone)]
pub struct Origin(Vec<Place>);

/// One of them.
#[derive(Debug, Clone)]
enum Place {
    /// A local or packaged file, and its name.
    Blob(Blob, String),
    /// A file of the store, there or to be fetched; the hash that it must have.
    Stored(Remote, Option<Hash>),
}

/// How often a file that changed on its server is begun again.
const RESTARTS_MAX: usize = 2;

impl ModelSource {
    /// True where the same words mean the same bytes.
    pub fn is_stable(&self) -> bool {
        !matches!(self, ModelSource::File)
    }
}

impl Origin {
    /// Where the files of a source are. Those in the store are not looked at yet.
    ///
    /// # Errors
    /// `BadMessage` where local files were announced and none came, or hashes are none; `NotStored`; those of packaged
    /// files.
    pub async fn find(
        source: &ModelSource,
        files: Vec<Blob>,
        ticket: &Ticket,
    ) -> Result<Origin, WorkerError> {
        let bad = |why: String| WorkerError::BadMessage { why };
        match source {
            ModelSource::Packaged { url } => {
                let mut places = Vec::new();
                for address in addresses(url) {
                    let blob = open_packaged(&address, url, ticket).await?;
                    let name = address.rsplit('/').next().unwrap_or_default().into();
                    places.push(Place::Blob(blob, name));
                }
                Ok(Origin(places))
            }
            ModelSource::File if files.is_empty() => Err(bad("the message carries no file".into())),
            ModelSource::File => {
                let name = |blob: &Blob| blob.dyn_ref::<File>().map(File::name).unwrap_or_default();
                Ok(Origin(files.into_iter().map(|blob| Place::Blob(blob.clone(), name(&blob))).collect()))
            }
            ModelSource::Url { url, sha256 } => {
                let files = remotes(url);
                let hashes: Result<Vec<Hash>, ()> = sha256.iter().map(|text| text.parse()).collect();
                let hashes = hashes.map_err(|()| bad("a SHA-256 is not 64 hexadecimal digits".into()))?;
                if !hashes.is_empty() && hashes.len() != files.len() {
                    return Err(bad(format!("{} hashes for {} files", hashes.len(), files.len())));
                }
                let hash = |at: usize| hashes.get(at).copied();
                Ok(Origin(
                    files.into_iter().enumerate().map(|(at, file)| Place::Stored(file, hash(at))).collect(),
                ))
            }
            ModelSource::Stored { name } => {
                let shelf = shelf().await?;
                let mut places = Vec::new();
                for name in names_of_model(name) {
                    let record = shelf
                        .record(&name)
                        .await?
                        .ok_or_else(|| WorkerError::NotStored { name: name.clone() })?;
                    places.push(Place::Stored(Remote { url: record.url, name }, record.expected));
                }
                Ok(Origin(places))
            }
        }
    }

    /// Opens all files, fetching the headers of those that are not there, and reads their headers. Stored ones that
    /// turn out to be no model are deleted.
    ///
    /// # Errors
    /// What the files refuse; those of a download; `PartsMissing`, `WrongPart`.
    pub async fn open(&self, ticket: &Ticket) -> Result<OpenFiles, WorkerError> {
        let mut files = Vec::with_capacity(self.0.len());
        let named = self.0.iter().find_map(Place::url).unwrap_or_default();
        let tally = Tally::new(self.0.len(), None);
        for place in &self.0 {
            let file = place.open(named, ticket, &tally).await;
            if let Err(error) = &file {
                forget_damaged(std::slice::from_ref(place), error).await;
            }
            files.push(file?);
        }
        let joined = join(files, named.to_owned());
        if let Err(error) = &joined {
            self.forget_damaged(error).await;
        }
        joined
    }

    /// Deletes stored files that turned out to be no model, so that the next attempt downloads them again.
    pub async fn forget_damaged(&self, error: &WorkerError) {
        forget_damaged(&self.0, error).await;
    }
}

/// What a file has that is on its way.
struct Arriving {
    url: String,
    /// Nothing of it was there before.
    is_new: bool,
    /// Keeps others from writing it.
    _lock: Lock,
}

/// An open file.
struct Opened {
    source: ByteSource,
    header: Header,
    /// While it is not whole.
    arriving: Option<Arriving>,
}

impl Place {
    fn url(&self) -> Option<&str> {
        match self {
            Place::Stored(remote, _) => remote.url.as_deref(),
            Place::Blob(..) => None,
        }
    }

    async fn open(
        &self,
        named: &str,
        ticket: &Ticket,
        tally: &Tally,
    ) -> Result<(Claim, Opened), WorkerError> {
        let (source, arriving, name) = match self {
            Place::Blob(blob, name) => (ByteSource::Blob(blob.clone()), None, name),
            Place::Stored(remote, expected) => {
                let (file, arriving) = open_stored(remote, *expected, named, ticket, tally).await?;
                tally.pass(&file);
                (ByteSource::Stored(Rc::new(file)), arriving, &remote.name)
            }
        };
        let header = read_header(&source).await?;
        Ok((Claim::new(name, header.part()?), Opened { source, header, arriving }))
    }
}

/// A whole file, or one of which at least the header is there, with its address and lock.
async fn open_stored(
    remote: &Remote,
    expected: Option<Hash>,
    named: &str,
    ticket: &Ticket,
    tally: &Tally,
) -> Result<(Incoming, Option<Arriving>), WorkerError> {
    let shelf = shelf().await?;
    let Some(lock) = lock_unless_whole(&shelf, remote, expected, ticket).await? else {
        let whole = Incoming::open_whole(&shelf, &remote.name).await?;
        let gone = || WorkerError::Storage { name: remote.name.clone(), why: "it was just deleted".into() };
        return Ok((whole.ok_or_else(gone)?, None));
    };
    let Some(url) = remote.url.clone() else {
        let why = "it is not whole, and nobody knows where it came from".into();
        return Err(WorkerError::Damaged { name: remote.name.clone(), why });
    };
    let file = Incoming::open_part(&shelf, remote, expected).await?;
    let is_new = file.with(|record| record.ledger.stored_bytes()) == 0;
    let mut restarts = 0;
    loop {
        match fetch(&file, &url, named, Goal::Header, ticket, tally).await {
            Err(WorkerError::SourceChanged { .. }) if restarts < RESTARTS_MAX => restarts += 1,
            result => break result?,
        }
    }
    Ok((file, Some(Arriving { url, is_new, _lock: lock })))
}

/// Fetches what is missing. A file that turns out to have changed on its server is begun anew with the next attempt,
/// but not one of which only a part was damaged: the rest of it would be lost.
async fn fetch(
    file: &Incoming,
    url: &str,
    named: &str,
    goal: Goal,
    ticket: &Ticket,
    tally: &Tally,
) -> Result<(), WorkerError> {
    let result = Download::new(file, url.into(), named, goal, ticket, tally).run().await;
    if matches!(result, Err(WorkerError::SourceChanged { .. }))
        && !file.with(|record| record.ledger.has_damage())
    {
        file.restart();
        file.note().await?;
    }
    result
}

/// The lock of a file that is not whole; while another request or tab has it, waits and shows how far that is.
async fn lock_unless_whole(
    shelf: &Rc<Shelf>,
    remote: &Remote,
    expected: Option<Hash>,
    ticket: &Ticket,
) -> Result<Option<Lock>, WorkerError> {
    const LOOK_EVERY_MS: u32 = 300;
    loop {
        let whole = Incoming::open_whole(shelf, &remote.name).await?;
        let right = |found: Option<Hash>| expected.is_none() || found == expected;
        if whole.is_some_and(|file| right(file.record().sha256())) {
            return Ok(None);
        }
        if let Some(lock) = Lock::try_take(&shelf.lock_name(&remote.name)).await {
            return Ok(Some(lock));
        }
        if let Some(record) = shelf.record(&remote.name).await? {
            let total = record.ledger.len_bytes().unwrap_or_default();
            ticket.progress(Stage::Elsewhere, record.ledger.stored_bytes(), total);
        }
        ticket.sleep(LOOK_EVERY_MS).await?;
    }
}

async fn forget_damaged(places: &[Place], error: &WorkerError) {
    if !matches!(error.code(), Code::NotGguf | Code::Truncated | Code::BadFile | Code::WrongPart) {
        return;
    }
    let Ok(shelf) = shelf().await else { return };
    for place in places {
        if let Place::Stored(remote, _) = place {
            // Where it cannot be deleted, the user is told the same thing again, and can delete it.
            let _ = shelf.delete_file(&remote.name).await;
        }
    }
}

fn join(files: Vec<(Claim, Opened)>, named: String) -> Result<OpenFiles, WorkerError> {
    let (mut headers, mut sources, mut arriving) = (Vec::new(), Vec::new(), Vec::new());
    for file in arrange(files)? {
        headers.push(file.header);
        sources.push(file.source);
        arriving.push(file.arriving);
    }
    let header = Header::join(headers).map_err(|error| match error {
        // Each file was read, so that it is none of them alone.
        GgufError::DuplicateTensor { .. } => WorkerError::WrongPart { why: error.to_string() },
        error => error.into(),
    })?;
    let is_arriving = Cell::new(arriving.iter().any(Option::is_some));
    Ok(OpenFiles { header, sources, arriving, named, is_arriving })
}

/// The open files of a model, in order. Some may still have to arrive.
pub struct OpenFiles {
    /// Of all of them.
    pub header: Header,
    sources: Vec<ByteSource>,
    /// Those that are not whole.
    arriving: Vec<Option<Arriving>>,
    named: String,
    is_arriving: Cell<bool>,
}

impl OpenFiles {
    /// Of all files together.
    ///
    /// # Errors
    /// `FileUnreadable`.
    pub fn len_bytes(&self) -> Result<u64, WorkerError> {
        self.sources.iter().map(ByteSource::len_bytes).sum()
    }

    /// Reads a piece; `into` has its length. Waits until it has arrived.
    ///
    /// # Errors
    /// `FileUnreadable`.
    pub async fn read(&self, piece: &Piece, into: &mut [u8]) -> Result<(), WorkerError> {
        let source = self.sources.get(piece.file);
        let source = source.ok_or(WorkerError::Internal { why: format!("no file {}", piece.file) })?;
        source.read_at(piece.offset_bytes, into).await
    }

    /// Files that are in the store, or come into it.
    fn stored(&self) -> impl Iterator<Item = &Rc<Incoming>> {
        self.sources.iter().filter_map(|source| match source {
            ByteSource::Stored(file) => Some(file),
            ByteSource::Blob(_) => None,
        })
    }

    /// The name of the stored model.
    pub fn stored_name(&self) -> Option<String> {
        self.stored().next().map(|file| file.record().name)
    }

    /// Bytes that have to be fetched.
    pub fn missing_bytes(&self) -> u64 {
        let missing = |file: &Rc<Incoming>| {
            let record = file.record();
            record.ledger.len_bytes().unwrap_or_default().saturating_sub(record.ledger.stored_bytes())
        };
        self.stored().map(missing).sum()
    }

    /// Fetches what is missing, one file after the other.
    ///
    /// # Errors
    /// Those of a download; `NoRoom`, `WrongHash`.
    pub async fn arrive(&self, ticket: &Ticket) -> Result<(), WorkerError> {
        if !self.is_arriving() {
            return Ok(());
        }
        self.expect_room().await?;
        let tally = Tally::new(self.sources.len(), self.stored().map(|file| file.len_bytes()).sum());
        for (file, arriving) in self.stored().zip(&self.arriving) {
            if let Some(Arriving { url, .. }) = arriving {
                let fetched = fetch(file, url, &self.named, Goal::Whole, ticket, &tally).await;
                self.propose(fetched).await?;
                expect_hash(file)?;
            }
            tally.pass(file);
        }
        self.is_arriving.set(false);
        Ok(())
    }

    /// True until all files are whole.
    pub fn is_arriving(&self) -> bool {
        self.is_arriving.get()
    }

    /// Says what could be deleted where the store was full.
    async fn propose(&self, result: Result<(), WorkerError>) -> Result<(), WorkerError> {
        let Err(WorkerError::QuotaExceeded { why, .. }) = result else { return result };
        let name = self.stored_name().unwrap_or_default();
        let could_delete = shelf().await?.proposal(self.missing_bytes(), &name).await;
        Err(WorkerError::QuotaExceeded { why, could_delete })
    }

    /// Throws away what was fetched only to know the files.
    pub async fn refuse(self) {
        let is_new = self.arriving.iter().flatten().any(|file| file.is_new);
        let Some(name) = self.stored_name().filter(|_| is_new) else { return };
        drop(self);
        if let Ok(shelf) = shelf().await {
            // What stays can be deleted by hand.
            let _ = shelf.delete(&name).await;
        }
    }

    /// Says no where the store has no room for what is missing.
    ///
    /// # Errors
    /// `NoRoom`.
    pub async fn expect_room(&self) -> Result<(), WorkerError> {
        let need_bytes = self.missing_bytes();
        let shelf = shelf().await?;
        let Some(free_bytes) = shelf.info().await.free_bytes else { return Ok(()) };
        if need_bytes <= free_bytes {
            return Ok(());
        }
        let name = self.stored_name().unwrap_or_default();
        let could_delete = shelf.proposal(need_bytes - free_bytes, &name).await;
        Err(WorkerError::NoRoom { need_bytes, free_bytes, could_delete })
    }
}

/// Says no where the whole file is another than the one that was expected.
fn expect_hash(file: &Incoming) -> Result<(), WorkerError> {
    let record = file.record();
    match (record.expected, record.sha256()) {
        (Some(expected), Some(found)) if expected != found => Err(WorkerError::WrongHash {
            name: record.name,
            expected: expected.to_string(),
            found: found.to_string(),
        }),
        _ => Ok(()),
    }
}

/// Reads the header and nothing behind it.
async fn read_header(source: &ByteSource) -> Result<Header, WorkerError> {
    // The header of a file is there before its length is known, where a server does not tell it.
    let len_bytes = source.len_bytes().ok();
    let end_bytes = len_bytes.unwrap_or(u64::MAX);
    let mut reader = HeaderReader::new(len_bytes);
    let mut buffer = Vec::new();
    let mut at_bytes = 0;
    loop {
        // No more of a file that is on its way than was looked at when its header arrived.
        let step_bytes = HEADER_STEP_BYTES.min(end_bytes - at_bytes);
        buffer.resize(step_bytes as usize, 0);
        source.read_at(at_bytes, &mut buffer).await?;
        at_bytes += step_bytes;
        match reader.push(&buffer)? {
            Progress::Done(header) => return Ok(*header),
            // The reader knows the length and refuses a header that goes past it; this keeps the loop finite by itself.
            Progress::NeedMore { .. } if at_bytes == end_bytes => {
                return Err(WorkerError::Engine {
                    code: "gguf_truncated",
                    detail: format!("the file ends inside its header, after {end_bytes} bytes"),
                });
            }
            Progress::NeedMore { .. } => {}
        }
    }
}
