//! Where the files of a model or an adapter lie, and how they are opened: one file, or all those of a split model.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Blob, File};

use crate::browser::{BlobReader, Lock};
use crate::download::{Download, Goal, Tally};
use crate::error::{Code, WorkerError};
use crate::hash::Hash;
use crate::incoming::Incoming;
use crate::open_files::{
    Arriving, OpenFiles, Opened, again_if_changed, fetch, join, read_header, wrong_hash,
};
use crate::protocol::{ModelSource, Stage};
use crate::source::{ByteSource, open_packaged};
use crate::split::{Claim, addresses};
use crate::store::{Remote, Shelf, names_of_model, remotes, shelf};
use crate::ticket::Ticket;

/// Files that can be opened again without asking the page, in any order.
#[derive(Debug, Clone)]
pub struct Origin {
    places: Vec<Place>,
    /// Names of those that were not whole when they were opened, until all of them have proved to be a model.
    unproved: Rc<RefCell<BTreeSet<String>>>,
}

/// One of them.
#[derive(Debug, Clone)]
enum Place {
    /// A local or packaged file, and its name.
    Blob(Blob, String),
    /// A file of the store, there or to be fetched; the hash that it must have.
    Stored(Remote, Option<Hash>),
}

impl ModelSource {
    /// True where the same words mean the same bytes.
    pub fn is_stable(&self) -> bool {
        !matches!(self, ModelSource::File)
    }
}

impl Origin {
    fn of(places: Vec<Place>) -> Origin {
        Origin { places, unproved: Rc::default() }
    }

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
                Ok(Origin::of(places))
            }
            ModelSource::File if files.is_empty() => Err(bad("the message carries no file".into())),
            ModelSource::File => {
                let name = |blob: &Blob| blob.dyn_ref::<File>().map(File::name).unwrap_or_default();
                Ok(Origin::of(files.into_iter().map(|blob| Place::Blob(blob.clone(), name(&blob))).collect()))
            }
            ModelSource::Url { url, sha256 } => {
                let files = remotes(url);
                let hashes: Result<Vec<Hash>, ()> = sha256.iter().map(|text| text.parse()).collect();
                let hashes = hashes.map_err(|()| bad("a SHA-256 is not 64 hexadecimal digits".into()))?;
                if !hashes.is_empty() && hashes.len() != files.len() {
                    return Err(bad(format!("{} hashes for {} files", hashes.len(), files.len())));
                }
                let names = if hashes.is_empty() { None } else { shelf().await?.names_of(&hashes).await? };
                // Equal bytes are one file, whatever the address says besides.
                let own = |at: usize| names.as_ref().and_then(|names| names.get(at).cloned());
                let files = files.into_iter().enumerate();
                let files = files.map(|(at, file)| Remote { name: own(at).unwrap_or(file.name), ..file });
                let hash = |at: usize| hashes.get(at).copied();
                Ok(Origin::of(files.enumerate().map(|(at, file)| Place::Stored(file, hash(at))).collect()))
            }
            ModelSource::Stored { name } => {
                let shelf = shelf().await?;
                let mut places = Vec::new();
                for name in names_of_model(name) {
                    let record = shelf
                        .record(&name)
                        .await?
                        .ok_or_else(|| WorkerError::NotStored { name: name.clone() })?;
                    let expected = record.expected.filter(|_| record.sha256().is_none());
                    places.push(Place::Stored(Remote { url: record.url, name }, expected));
                }
                Ok(Origin::of(places))
            }
        }
    }

    /// Opens all files, fetching the headers of those that are not there, and reads their headers. Those on their way
    /// that turn out to be no model are deleted.
    ///
    /// # Errors
    /// What the files refuse; those of a download; `PartsMissing`, `WrongPart`.
    pub async fn open(&self, ticket: &Ticket) -> Result<OpenFiles, WorkerError> {
        let mut files = Vec::with_capacity(self.places.len());
        let named = self.places.iter().find_map(Place::url).unwrap_or_default();
        let tally = Tally::new(self.places.len(), None);
        for place in &self.places {
            let file = place.open(named, ticket, &tally, &self.unproved).await;
            if let (Err(error), Place::Stored(Remote { name, .. }, _)) = (&file, place) {
                let of_this = self.unproved.borrow_mut().take(name);
                forget_damaged(of_this, error).await;
            }
            files.push(file?);
        }
        let joined = join(files, named.to_owned());
        if let Err(error) = &joined {
            self.forget_damaged(error).await;
        }
        joined
    }

    /// Says no where a file of the store was deleted meanwhile.
    ///
    /// # Errors
    /// `NotStored`, `Storage`.
    pub async fn expect_stored(&self) -> Result<(), WorkerError> {
        for place in &self.places {
            if let Place::Stored(Remote { name, .. }, _) = place {
                let record = shelf().await?.record(name).await?;
                record.ok_or_else(|| WorkerError::NotStored { name: name.clone() })?;
            }
        }
        Ok(())
    }

    /// Notes that the files are what they should be.
    pub fn prove(&self) {
        self.unproved.take();
    }

    /// Deletes what was on its way and turned out to be no model, so that the next attempt begins anew. A file that was
    /// whole before stays: what this version takes for damaged is the user's to delete.
    pub async fn forget_damaged(&self, error: &WorkerError) {
        forget_damaged(self.unproved.take(), error).await;
    }
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
        unproved: &RefCell<BTreeSet<String>>,
    ) -> Result<(Claim, Opened), WorkerError> {
        let (source, arriving, name) = match self {
            Place::Blob(blob, name) => (ByteSource::Blob(BlobReader::new(blob.clone())), None, name),
            Place::Stored(remote, expected) => {
                let found = open_or_lock(&shelf().await?, remote, *expected, ticket).await?;
                if matches!(found, Found::Lock(_)) {
                    unproved.borrow_mut().insert(remote.name.clone());
                }
                let (file, arriving) = open_stored(found, remote, *expected, named, ticket, tally).await?;
                tally.pass(&file);
                (ByteSource::Stored(Rc::new(file)), arriving, &remote.name)
            }
        };
        let header = read_header(&source, ticket).await?;
        Ok((Claim::new(name, header.part()?), Opened { source, header, arriving }))
    }
}

/// A whole file, or one of which at least the header is there, with its address and lock.
async fn open_stored(
    found: Found,
    remote: &Remote,
    expected: Option<Hash>,
    named: &str,
    ticket: &Ticket,
    tally: &Tally,
) -> Result<(Incoming, Option<Arriving>), WorkerError> {
    let lock = match found {
        Found::Whole(file) => return Ok((*file, None)),
        Found::Lock(lock) => lock,
    };
    let shelf = shelf().await?;
    let Some(url) = remote.url.clone() else {
        let why = "it is not whole, and nobody knows where it came from".into();
        return Err(WorkerError::Damaged { name: remote.name.clone(), why });
    };
    let file = Incoming::open_part(&shelf, remote, expected).await?;
    let is_new = file.with(|record| record.ledger.stored_bytes()) == 0;
    let fetched = async {
        if let (Some(expected), Some(found)) = (expected, file.record().sha256())
            && expected != found
        {
            // It was whole without that expectation.
            match Download::new(&file, url.clone(), named, Goal::Header, ticket, tally).look().await {
                Err(WorkerError::SourceChanged { .. }) => file.begin_anew(Some(expected)).await?,
                Err(WorkerError::Cancelled) => return Err(WorkerError::Cancelled),
                _ => return Err(wrong_hash(&file, expected, found)),
            }
        }
        again_if_changed(async || fetch(&file, &url, named, Goal::Header, ticket, tally).await).await
    };
    if let Err(error) = fetched.await {
        let is_empty = file.with(|record| record.ledger.stored_bytes() == 0 && !record.pinned);
        drop(file);
        // What the user has stopped can be continued, however little there is of it.
        if is_empty && !matches!(error, WorkerError::Cancelled) {
            // Nothing to go on with, or to show. Where this fails it can be deleted by hand.
            let _ = shelf.delete_file(&remote.name).await;
        }
        return Err(error);
    }
    Ok((file, Some(Arriving { url, is_new, expected, _lock: lock })))
}

/// What [`open_or_lock`] gives.
enum Found {
    Whole(Box<Incoming>),
    Lock(Lock),
}

/// A whole file, or the lock of one that is not; while another request or tab has it, waits and shows how far that is.
async fn open_or_lock(
    shelf: &Rc<Shelf>,
    remote: &Remote,
    expected: Option<Hash>,
    ticket: &Ticket,
) -> Result<Found, WorkerError> {
    const LOOK_EVERY_MS: u32 = 300;
    loop {
        let right = |found: Option<Hash>| expected.is_none() || found == expected;
        let whole = Incoming::open_whole(shelf, &remote.name, ticket).await?;
        if let Some(file) = whole.filter(|file| right(file.record().sha256())) {
            return Ok(Found::Whole(Box::new(file)));
        }
        if let Some(lock) = shelf.try_lock(&remote.name).await {
            return Ok(Found::Lock(lock));
        }
        if let Some(record) = shelf.record(&remote.name).await? {
            let total = record.ledger.len_bytes().unwrap_or_default();
            ticket.progress(Stage::Elsewhere, record.ledger.stored_bytes(), total);
        }
        ticket.sleep(LOOK_EVERY_MS).await?;
    }
}

async fn forget_damaged(names: impl IntoIterator<Item = String>, error: &WorkerError) {
    if !matches!(error.code(), Code::NotGguf | Code::Truncated | Code::BadFile | Code::WrongPart) {
        return;
    }
    let Ok(shelf) = shelf().await else { return };
    for name in names {
        // Where it cannot be deleted, the user is told the same thing again, and can delete it.
        let _ = shelf.delete_file(&name).await;
    }
}
