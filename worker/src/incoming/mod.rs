//! A file of the store that is whole, or becomes so: what arrives is written, hashed, noted, and only then read.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use pith_engine::gguf::{Header, HeaderReader, Progress, TensorInfo};

use crate::browser::since_1970_ms;
use crate::error::WorkerError;
use crate::hash::{Hash, digest};
use crate::notify::Notify;
use crate::store::{CHUNK_BYTES, Record, Remote, Shelf, StoredFile};
use crate::ticket::Ticket;

mod checking;
mod intact;
mod verdicts;

use verdicts::Checking;

/// Bytes of a header that are read at once.
pub const HEADER_STEP_BYTES: u64 = 64 << 10;

/// An open file.
pub struct Incoming {
    shelf: Rc<Shelf>,
    file: Rc<dyn StoredFile>,
    record: RefCell<Record>,
    arrived: Notify,
    /// For a chunk that is read back.
    scratch: RefCell<Vec<u8>>,
    checking: Checking,
    is_hashing: Cell<bool>,
    /// Reads the header as it arrives; `None` once it is there.
    header: RefCell<Option<(HeaderReader, u64)>>,
    /// Shortest and longest that the file can be, by its header.
    extent: Cell<Option<(u64, u64)>>,
    /// Some of it came under another name of the server's than the rest.
    is_mixed: Cell<bool>,
}

/// Behind its last tensor a file may be padded, and no more.
fn extent(header: &Header) -> (u64, u64) {
    let end = |tensor: &TensorInfo| tensor.offset_bytes.saturating_add(tensor.size_bytes.unwrap_or(1));
    let end_bytes = header.tensors.iter().map(end).max().unwrap_or_default().max(header.data_offset_bytes);
    let is_known = header.tensors.iter().all(|tensor| tensor.size_bytes.is_some());
    (end_bytes, if is_known { end_bytes.saturating_add(CHUNK_BYTES) } else { u64::MAX })
}

fn truncated(len_bytes: u64, end_bytes: u64) -> WorkerError {
    let detail = format!("the file ends after {len_bytes} bytes, before byte {end_bytes}");
    WorkerError::Engine { code: "gguf_truncated", detail }
}

impl Incoming {
    /// Opens a file that is whole by its record and by its length; `None` where it is not. Its bytes are compared as they are read.
    ///
    /// # Errors
    /// `UnknownFile`, `Storage`, `Cancelled`.
    pub async fn open_whole(
        shelf: &Rc<Shelf>,
        name: &str,
        ticket: &Ticket,
    ) -> Result<Option<Incoming>, WorkerError> {
        let Some(record) = shelf.record(name).await?.filter(Record::is_whole) else { return Ok(None) };
        let file = match shelf.store.open(name, false).await {
            Ok(file) => file,
            // The browser threw it away.
            Err(WorkerError::NotStored { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let there_bytes = shelf.there_bytes(name).await;
        let incoming = Self::new(shelf, file, record);
        if incoming.len_bytes().is_some_and(|len_bytes| there_bytes < len_bytes) {
            incoming.find_damage(ticket).await?;
            return Ok(None);
        }
        let used = |record: Record| Record { last_used_ms: since_1970_ms(), ..record };
        shelf.catalogue.update(name, false, |record| record.map(used)).await?;
        Ok(Some(incoming))
    }

    /// Opens a file to write what is missing of it. The caller has its lock.
    ///
    /// # Errors
    /// `UnknownFile`, `Storage`, `QuotaExceeded`.
    pub async fn open_part(
        shelf: &Rc<Shelf>,
        remote: &Remote,
        expected: Option<Hash>,
    ) -> Result<Incoming, WorkerError> {
        let kind = shelf.store.kind();
        // Before the file, so that no file is without a record.
        let begin = |known: Option<Record>| {
            let known = known.filter(|record| !record.unwanted);
            let mut record = known.unwrap_or_else(|| Record::new(remote, kind, since_1970_ms()));
            record.begin(expected);
            // The address may be signed anew.
            record.url = remote.url.clone().or(record.url);
            record.last_used_ms = since_1970_ms();
            Some(record)
        };
        let record = shelf.catalogue.update(&remote.name, true, begin).await?;
        let record = record.ok_or_else(|| WorkerError::NotStored { name: remote.name.clone() })?;
        let incoming = Self::open(shelf, record).await?;
        incoming.check_open_blocks().await;
        Ok(incoming)
    }

    /// Opens the file of a record. The caller has its lock.
    ///
    /// # Errors
    /// `Storage`, `QuotaExceeded`.
    pub async fn open(shelf: &Rc<Shelf>, record: Record) -> Result<Incoming, WorkerError> {
        let file = shelf.store.open(&record.name, true).await?;
        Ok(Self::new(shelf, file, record))
    }

    fn new(shelf: &Rc<Shelf>, file: Rc<dyn StoredFile>, record: Record) -> Incoming {
        let reader = HeaderReader::new(record.ledger.len_bytes());
        Incoming {
            shelf: Rc::clone(shelf),
            file,
            record: RefCell::new(record),
            arrived: Notify::default(),
            scratch: RefCell::default(),
            checking: Checking::default(),
            is_hashing: Cell::new(false),
            header: RefCell::new(Some((reader, 0))),
            extent: Cell::new(None),
            is_mixed: Cell::new(false),
        }
    }

    /// The file's record now.
    pub fn record(&self) -> Record {
        self.record.borrow().clone()
    }

    /// Looks at or changes the record; [`Self::note`] writes it.
    pub fn with<T>(&self, look: impl FnOnce(&mut Record) -> T) -> T {
        look(&mut self.record.borrow_mut())
    }

    /// What the store takes at once.
    pub fn write_bytes(&self) -> u64 {
        self.shelf.store.write_bytes()
    }

    /// Writes the record and its copy.
    ///
    /// # Errors
    /// `NotStored` where the file was deleted meanwhile, `QuotaExceeded`, `Storage`.
    pub async fn note(&self) -> Result<(), WorkerError> {
        self.write_record(true).await
    }

    async fn write_record(&self, copied: bool) -> Result<(), WorkerError> {
        let name = self.with(|record| record.name.clone());
        // Whether it is pinned is for others to say.
        let change = |known: Option<Record>| {
            let Record { pinned, .. } = known.filter(|known| !known.unwanted)?;
            Some(Record { pinned, ..self.record() })
        };
        let written = self.shelf.catalogue.update(&name, copied, change).await?;
        written.filter(|record| !record.unwanted).map(drop).ok_or(WorkerError::NotStored { name })
    }

    /// Waits for bytes, then reads them. Whether they are those that were stored says [`Self::settle`].
    ///
    /// # Errors
    /// `Cancelled`; `gguf_truncated` where the file ends before them; `FileUnreadable`, `Storage`.
    pub async fn read_at(
        &self,
        offset_bytes: u64,
        into: &mut [u8],
        ticket: &Ticket,
    ) -> Result<(), WorkerError> {
        let range = offset_bytes..offset_bytes + into.len() as u64;
        let look = || {
            let Record { ledger, .. } = &*self.record.borrow();
            let beyond = ledger.len_bytes().filter(|len_bytes| *len_bytes < range.end);
            let ends = beyond.map(|len_bytes| Err(truncated(len_bytes, range.end)));
            ends.or_else(|| ledger.has(range.clone()).then_some(Ok(())))
        };
        ticket.unless_cancelled(self.arrived.wait(look)).await??;
        match self.read_checked(offset_bytes, into).await {
            Err(error @ WorkerError::Damaged { .. }) => self.settle(ticket).await.and(Err(error)),
            read => read,
        }
    }

    /// Notes the file's length. False where it is another than it was.
    pub fn learn_len(&self, len_bytes: u64) -> bool {
        let fits = self.with(|record| record.ledger.learn_len(len_bytes));
        // Who waits for bytes behind the end waits in vain.
        self.arrived.notify();
        fits
    }

    /// Says no where a file of this length, or that goes on up to there at least, is not what its header says.
    ///
    /// # Errors
    /// `gguf_truncated`, `gguf_trailing_bytes`.
    pub fn expect_len(&self, len_bytes: u64, ends: bool) -> Result<(), WorkerError> {
        match self.extent.get() {
            Some((min_bytes, _)) if ends && len_bytes < min_bytes => Err(truncated(len_bytes, min_bytes)),
            Some((_, max_bytes)) if len_bytes > max_bytes => Err(WorkerError::Engine {
                code: "gguf_trailing_bytes",
                detail: format!("the file goes on behind its last tensor, up to {len_bytes} bytes and more"),
            }),
            _ => Ok(()),
        }
    }

    /// Whether the header has said how long the file is, about.
    pub fn has_extent(&self) -> bool {
        self.extent.get().is_some()
    }

    /// Whether nothing is known that speaks against an end at `position`.
    pub fn may_end(&self, position: u64) -> bool {
        self.extent.get().is_none_or(|(min_bytes, _)| position >= min_bytes)
    }

    /// Whether a file whose length nobody says ends at `position`, by its header.
    pub fn ends_at(&self, position: u64) -> bool {
        self.len_bytes().is_none() && self.has_extent() && self.may_end(position)
    }

    /// Notes that what the server calls the file has changed on the way.
    pub fn mix(&self) {
        self.is_mixed.set(true);
    }

    /// Whether that was so, since it was asked last.
    pub fn was_mixed(&self) -> bool {
        self.is_mixed.take()
    }

    /// The file's length; `None` while unknown.
    pub fn len_bytes(&self) -> Option<u64> {
        self.record.borrow().ledger.len_bytes()
    }

    /// Writes what arrived: a block, a chunk, or the end of one. It is on the disk and noted when this ends.
    ///
    /// # Errors
    /// `QuotaExceeded`, `Storage`; `SourceChanged` where a damaged chunk came back as another; what is wrong with the
    /// header.
    pub async fn write(&self, offset_bytes: u64, bytes: &[u8]) -> Result<(), WorkerError> {
        self.file.write_at(offset_bytes, bytes).await?;
        let chunk = (offset_bytes / CHUNK_BYTES) as usize;
        let range = self.with(|record| record.ledger.range(chunk));
        if offset_bytes + bytes.len() as u64 == range.end {
            let hash = self.hash_of_stored(chunk).await?;
            if !self.with(|record| record.ledger.add_chunk(chunk, hash)) {
                let url = self.with(|record| record.url.clone()).unwrap_or_default();
                let why = format!("the bytes from {} on are not those that were there", range.start);
                return Err(WorkerError::SourceChanged { url, why });
            }
            self.hash_on().await?;
        } else {
            let hash = digest(bytes).await;
            self.with(|record| record.ledger.add_block(chunk, hash));
        }
        let is_whole = self.with(|record| record.ledger.is_whole(chunk));
        self.write_record(is_whole).await?;
        self.arrived.notify();
        self.look_for_header().await.map(drop)
    }

    /// Ends the last chunk where all of it was written before the file's length was known.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn close(&self) -> Result<(), WorkerError> {
        let open = self.with(|Record { ledger, .. }| {
            let last = ledger.len_bytes().and_then(|_| ledger.count().checked_sub(1))?;
            let all_there = !ledger.is_whole(last) && ledger.wanted_from(last) >= ledger.range(last).end;
            all_there.then_some(last)
        });
        let Some(chunk) = open else { return Ok(()) };
        let hash = self.hash_of_stored(chunk).await?;
        self.with(|record| record.ledger.add_chunk(chunk, hash));
        self.hash_on().await?;
        self.note().await?;
        self.arrived.notify();
        Ok(())
    }

    /// Forgets what has arrived: the server has another file now.
    pub fn restart(&self) {
        self.with(Record::restart);
        self.header.replace(Some((HeaderReader::new(None), 0)));
        self.extent.set(None);
    }

    /// The same for the file with another hash, which replaces this one.
    ///
    /// # Errors
    /// Those of [`Self::note`].
    pub async fn begin_anew(&self, expected: Option<Hash>) -> Result<(), WorkerError> {
        self.restart();
        self.with(|record| record.begin(expected));
        self.note().await
    }

    /// The hash of a chunk as it is on the disk.
    async fn hash_of_stored(&self, chunk: usize) -> Result<Hash, WorkerError> {
        let bytes = self.read_chunk(chunk).await?;
        let hash = digest(&bytes).await;
        self.scratch.replace(bytes);
        Ok(hash)
    }

    async fn read_chunk(&self, chunk: usize) -> Result<Vec<u8>, WorkerError> {
        let range = self.with(|record| record.ledger.range(chunk));
        let mut bytes = self.scratch.take();
        bytes.resize((range.end - range.start) as usize, 0);
        self.file.read_at(range.start, &mut bytes).await?;
        Ok(bytes)
    }

    /// Goes on with the hash of the file as far as there is no gap.
    async fn hash_on(&self) -> Result<(), WorkerError> {
        if self.is_hashing.replace(true) {
            return Ok(());
        }
        let result = async {
            while let Some(chunk) = self.with(|record| record.ledger.next_to_hash()) {
                let bytes = self.read_chunk(chunk).await?;
                self.with(|record| record.ledger.hash_on(&bytes));
                self.scratch.replace(bytes);
            }
            Ok(())
        };
        let result = result.await;
        self.is_hashing.set(false);
        result
    }

    /// True once the header has arrived.
    ///
    /// # Errors
    /// What is wrong with it.
    pub async fn look_for_header(&self) -> Result<bool, WorkerError> {
        let Some((mut reader, mut at_bytes)) = self.header.take() else { return Ok(true) };
        let mut buffer = Vec::new();
        let is_there = loop {
            let end = at_bytes + HEADER_STEP_BYTES;
            let end = self.len_bytes().map_or(end, |len_bytes| end.min(len_bytes));
            if end == at_bytes || !self.with(|record| record.ledger.has(at_bytes..end)) {
                break false;
            }
            buffer.resize((end - at_bytes) as usize, 0);
            self.file.read_at(at_bytes, &mut buffer).await?;
            at_bytes = end;
            if let Progress::Done(header) = reader.push(&buffer)? {
                let title = header.metadata.str("general.name").map(str::to_owned);
                self.with(|record| record.title = title);
                self.extent.set(Some(extent(&header)));
                self.note().await?;
                if let Some(len_bytes) = self.len_bytes() {
                    self.expect_len(len_bytes, true)?;
                }
                break true;
            }
        };
        if !is_there {
            self.header.replace(Some((reader, at_bytes)));
        }
        Ok(is_there)
    }
}
