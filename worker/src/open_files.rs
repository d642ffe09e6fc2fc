//! The open files of a model, some of which may still have to arrive.

use std::cell::Cell;
use std::rc::Rc;

use pith_engine::gguf::{GgufError, Header, HeaderReader, Progress};
use pith_engine::planner::Transfer;

use crate::browser::Lock;
use crate::download::{Download, Goal, Tally};
use crate::error::WorkerError;
use crate::hash::{Hash, joined};
use crate::incoming::{HEADER_STEP_BYTES, Incoming};
use crate::source::ByteSource;
use crate::split::{Claim, arrange};
use crate::store::shelf;
use crate::ticket::Ticket;

/// What a file has that is on its way.
pub struct Arriving {
    /// Where the rest of it is.
    pub url: String,
    /// Nothing of it was there before.
    pub is_new: bool,
    /// The hash that it must have.
    pub expected: Option<Hash>,
    /// Keeps others from writing it.
    pub _lock: Lock,
}

/// An open file.
pub struct Opened {
    /// Its bytes.
    pub source: ByteSource,
    /// Read already.
    pub header: Header,
    /// While it is not whole.
    pub arriving: Option<Arriving>,
}

/// The files of one model, put in order. `named` is the address that the page gave.
///
/// # Errors
/// `PartsMissing`, `WrongPart`.
pub fn join(files: Vec<(Claim, Opened)>, named: String) -> Result<OpenFiles, WorkerError> {
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

    /// Reads a transfer; `into` has its length. Waits until it has arrived.
    ///
    /// # Errors
    /// `FileUnreadable`.
    pub async fn read(
        &self,
        transfer: &Transfer,
        into: &mut [u8],
        ticket: &Ticket,
    ) -> Result<(), WorkerError> {
        let source = self.sources.get(transfer.file);
        let source = source.ok_or(WorkerError::Internal { why: format!("no file {}", transfer.file) })?;
        source.read_at(transfer.offset_bytes, into, ticket).await
    }

    /// Waits until what was read is known to be what was stored.
    ///
    /// # Errors
    /// `Damaged`, which is noted: another attempt fetches it again. `Storage`, `Cancelled`.
    pub async fn settle(&self, ticket: &Ticket) -> Result<(), WorkerError> {
        for source in &self.sources {
            source.settle(ticket).await?;
        }
        Ok(())
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

    /// Of all files together, where each is whole in the store.
    pub fn sha256(&self) -> Option<Hash> {
        let all = self.stored().map(|file| file.record().sha256()).collect::<Option<Vec<Hash>>>()?;
        (all.len() == self.sources.len()).then(|| joined(&all))
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
            if let Some(Arriving { url, expected, .. }) = arriving {
                let fetched = fetch(file, url, &self.named, Goal::Whole, ticket, &tally).await;
                self.propose(fetched).await?;
                expect_hash(file, *expected).await?;
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
        let name = self.stored_name().unwrap_or_default();
        shelf().await?.expect_room(self.missing_bytes(), &name).await
    }
}

/// Says no where the whole file is another than the one that was expected. The next attempt fetches it again.
async fn expect_hash(file: &Incoming, expected: Option<Hash>) -> Result<(), WorkerError> {
    let misfit = file.with(|record| record.misfit(expected));
    file.note().await?;
    match misfit {
        // It may be of two versions.
        Some(_) if file.was_mixed() => {
            file.begin_anew(expected).await?;
            let record = file.record();
            let why = "the server called it something else on the way, and it has another SHA-256".into();
            Err(WorkerError::SourceChanged { url: record.url.unwrap_or_default(), why })
        }
        Some((expected, found)) => Err(wrong_hash(file, expected, found)),
        None => Ok(()),
    }
}

/// The error of a file that has another hash than the expected one.
pub fn wrong_hash(file: &Incoming, expected: Hash, found: Hash) -> WorkerError {
    let (name, expected, found) = (file.record().name, expected.to_string(), found.to_string());
    WorkerError::WrongHash { name, expected, found }
}

/// Reads the header and nothing behind it.
///
/// # Errors
/// What is wrong with it; `FileUnreadable`.
pub async fn read_header(source: &ByteSource, ticket: &Ticket) -> Result<Header, WorkerError> {
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
        source.read_at(at_bytes, &mut buffer, ticket).await?;
        source.settle(ticket).await?;
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

/// How often a file that changes on its server meanwhile is begun.
const ATTEMPTS_MAX: usize = 3;

/// Does what fetches or reads a file, and does it again where the file changed on its server meanwhile ([`fetch`] begins it anew), or
/// was found damaged ([`Incoming::settle`] has noted it).
///
/// # Errors
/// Those of the last attempt.
pub async fn again_if_changed<T>(
    mut attempt: impl AsyncFnMut() -> Result<T, WorkerError>,
) -> Result<T, WorkerError> {
    for _ in 1..ATTEMPTS_MAX {
        match attempt().await {
            Err(WorkerError::SourceChanged { .. } | WorkerError::Damaged { .. }) => {}
            result => return result,
        }
    }
    attempt().await
}

/// Fetches what is missing. A file that turns out to have changed on its server is begun anew with the next attempt,
/// but not one of which only a part was damaged: the rest of it would be lost.
///
/// # Errors
/// Those of a download.
pub async fn fetch(
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
