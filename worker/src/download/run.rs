//! A file on its way: how much of it is wanted, who fetches what, how far it is.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;

use futures_util::future::try_join_all;

use super::meter::Meter;
use crate::browser::now_ms;
use crate::error::WorkerError;
use crate::incoming::Incoming;
use crate::protocol::Stage;
use crate::ticket::Ticket;

/// Connections at a time. Each can lose a block when the worker dies: together less than a chunk.
const CONNECTIONS: usize = 3;

/// Most chunks that one request asks for: long enough that its latency does not count.
const SPAN_CHUNKS: usize = 8;

/// How much is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Enough to know what the file is.
    Header,
    /// All of it.
    Whole,
}

/// What a server has shown so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    Unknown,
    Given,
    Refused,
}

/// Shows how far all files of a model together are.
#[derive(Debug, Default)]
pub struct Tally {
    /// Of the files before this one.
    before_bytes: Cell<u64>,
    /// Of all files; 0 while unknown.
    total_bytes: Cell<u64>,
    /// More files, of which nothing is known yet.
    has_others: bool,
    meter: RefCell<Meter>,
}

impl Tally {
    /// Of files that have this length together; `None` while that is not known.
    pub fn new(files: usize, total_bytes: Option<u64>) -> Tally {
        let total_bytes = Cell::new(total_bytes.unwrap_or_default());
        Tally { total_bytes, has_others: files > 1, ..Tally::default() }
    }

    /// Goes on behind a file.
    pub fn pass(&self, file: &Incoming) {
        let stored_bytes = file.with(|record| record.ledger.stored_bytes());
        self.before_bytes.set(self.before_bytes.get() + stored_bytes);
    }
}

/// A file on its way.
pub struct Download<'a> {
    pub(super) incoming: &'a Incoming,
    pub(super) url: String,
    /// The address that the page gave, where the file is another one of the same model.
    pub(super) named: String,
    pub(super) goal: Goal,
    pub(super) ticket: &'a Ticket,
    tally: &'a Tally,
    pub(super) parts: Cell<Parts>,
    /// False where the server's rules for other origins do not allow to ask with a condition.
    pub(super) conditional: Cell<bool>,
    /// Something has been received.
    pub(super) is_reached: Cell<bool>,
    /// The last attempt ended by silence.
    pub(super) was_silent: Cell<bool>,
    /// The whole file is asked for, for this attempt.
    pub(super) is_whole: Cell<bool>,
    /// The same for good: what the server calls parts are none.
    pub(super) never_parts: Cell<bool>,
    /// A part behind the beginning has been received.
    pub(super) is_proven: Cell<bool>,
    /// The hash of the file decides, and not what the server calls it.
    pub(super) ignores_marks: Cell<bool>,
    /// Chunks that a connection fetches.
    taken: RefCell<BTreeSet<usize>>,
    /// Bytes that have arrived and are not written yet.
    pub(super) pending_bytes: Cell<u64>,
}

impl<'a> Download<'a> {
    /// Of the file at `url`; `named` is the address that the page gave.
    pub fn new(
        incoming: &'a Incoming,
        url: String,
        named: &str,
        goal: Goal,
        ticket: &'a Ticket,
        tally: &'a Tally,
    ) -> Self {
        Download {
            incoming,
            url,
            named: named.into(),
            goal,
            ticket,
            tally,
            parts: Cell::new(Parts::Unknown),
            conditional: Cell::new(true),
            is_reached: Cell::new(false),
            was_silent: Cell::new(false),
            is_whole: Cell::new(false),
            never_parts: Cell::new(false),
            is_proven: Cell::new(false),
            ignores_marks: Cell::new(false),
            taken: RefCell::default(),
            pending_bytes: Cell::new(0),
        }
    }

    /// Fetches what is missing for the goal. What has arrived before a failure stays.
    ///
    /// # Errors
    /// `Network`, `DownloadIncomplete`, `HttpStatus`, `PartsMissing`, `QuotaExceeded`, `Storage`, `Cancelled`; `SourceChanged` where what is
    /// stored and what is served are of two files; what is wrong with the header.
    pub async fn run(&self) -> Result<(), WorkerError> {
        // One connection finds out what the server can do.
        while !self.is_done().await? {
            let chunks =
                if self.parts.get() == Parts::Unknown || self.goal == Goal::Header { 1 } else { SPAN_CHUNKS };
            let Some(span) = self.claim(chunks) else { break };
            self.fetch(span).await?;
            // It may have been asked for less.
            self.taken.borrow_mut().clear();
            // Where the file ends is found out by one.
            let is_bounded = self.incoming.len_bytes().is_some();
            if is_bounded && self.parts.get() == Parts::Given && self.goal == Goal::Whole {
                try_join_all((0..CONNECTIONS).map(|_| self.connection())).await?;
            }
        }
        self.show(Stage::Download, None);
        Ok(())
    }

    async fn is_done(&self) -> Result<bool, WorkerError> {
        match self.goal {
            Goal::Header if self.incoming.look_for_header().await? => Ok(true),
            _ => Ok(self.incoming.with(|record| record.ledger.all_whole())),
        }
    }

    async fn connection(&self) -> Result<(), WorkerError> {
        while let Some(span) = self.claim(SPAN_CHUNKS) {
            self.fetch(span).await?;
        }
        Ok(())
    }

    /// The next chunks that nobody fetches yet.
    fn claim(&self, chunks_max: usize) -> Option<Range<usize>> {
        let mut taken = self.taken.borrow_mut();
        let span = self.incoming.with(|record| record.ledger.next_span(&taken, chunks_max))?;
        taken.extend(span.clone());
        Some(span)
    }

    /// Posts how far it is.
    pub(super) fn show(&self, stage: Stage, left_ms: Option<f64>) {
        let stored_bytes = self.incoming.with(|record| record.ledger.stored_bytes());
        let done = self.tally.before_bytes.get() + stored_bytes + self.pending_bytes.get();
        let total = self.tally.total_bytes.get();
        let rate = self.tally.meter.borrow_mut().mark(now_ms(), done).filter(|rate| *rate > 0.0);
        let left_ms = left_ms.or_else(|| Some(total.checked_sub(done)? as f64 * 1000.0 / rate?));
        self.ticket.timed_progress(stage, done.min(total.max(done)), total, rate, left_ms);
    }

    /// Notes the file's length. False where it is another than it was.
    pub(super) fn learn_len(&self, len_bytes: u64) -> bool {
        let before = self.incoming.len_bytes();
        let fits = self.incoming.learn_len(len_bytes);
        if fits && before.is_none() && !self.tally.has_others {
            self.tally.total_bytes.set(len_bytes);
        }
        fits
    }
}
