//! What a download tries instead where a server, or what stands before it, cannot do what is asked.

use std::rc::Rc;

use super::connection::{Body, Interruption, Watchdog};
use super::run::{Download, Parts};
use crate::browser::is_online;
use crate::error::WorkerError;

impl Download<'_> {
    /// Whether the file is asked for without a range, in one answer.
    pub(super) fn asks_whole(&self) -> bool {
        self.never_parts.get() || self.is_whole.get()
    }

    /// What is asked for after an attempt that failed: a server of which no part behind the beginning has come yet may only give
    /// the whole file; one that broke off in the middle of it is asked for parts again.
    pub(super) fn change_plan(&self, error: &WorkerError, in_vain: u32) {
        // What looks like parts may break off once by chance.
        let in_vain_max = if self.parts.get() == Parts::Given { 2 } else { 1 };
        let failed = matches!(error, WorkerError::Network { .. }) && in_vain >= in_vain_max;
        self.is_whole.set(failed && !self.is_whole.get() && !self.is_proven.get());
    }

    /// From now on the whole file is asked for: the server cuts parts out of other bytes than the file's, such as its compressed ones.
    pub(super) fn refuse_parts(&self, from: u64) -> Interruption {
        self.never_parts.set(true);
        let why = format!("the server has no parts of the file itself, from {from} on");
        Interruption::Again(WorkerError::DownloadIncomplete { url: self.url.clone(), why }, Some(0))
    }

    /// Whether the file ends at `position`, where nothing more can be had: what is behind the end is refused without leave to
    /// read the refusal, and what is before it is given.
    pub(super) async fn ends_at(&self, error: &WorkerError, position: u64) -> bool {
        let may_end = matches!(error, WorkerError::Network { .. })
            && position > 0
            && self.incoming.len_bytes().is_none()
            && self.parts.get() == Parts::Given
            && self.incoming.may_end(position);
        let Some(traffic) = self.ticket.traffic().filter(|_| may_end) else { return false };
        let _watchdog = Watchdog::new(Rc::clone(&traffic.aborter));
        let before = self.ask(position - 1, position, &traffic.aborter).await;
        before.is_ok_and(|response| response.ok())
    }

    /// Believes a length that a server gave of a whole file, once the header does not contradict: it may be that of the compressed
    /// file, where the server does not let read that it is compressed.
    pub(super) fn believe_len(&self, body: &Body) -> Result<(), Interruption> {
        let Some(len_bytes) = body.len_bytes.get().filter(|_| self.incoming.has_extent()) else {
            return Ok(());
        };
        body.len_bytes.set(None);
        if self.incoming.expect_len(len_bytes, true).is_ok() && !self.learn_len(len_bytes) {
            let why = "its length is another now".into();
            return Err(WorkerError::SourceChanged { url: self.url.clone(), why }.into());
        }
        Ok(())
    }

    /// Goes on although the server calls the file something else now, where its hash is known: that says in the end whether it is
    /// the file.
    ///
    /// # Errors
    /// `changed` where it is not; and the first time, to ask without the mark.
    pub(super) fn outlive_mark(&self, changed: WorkerError) -> Result<(), Interruption> {
        if self.incoming.with(|record| record.expected.is_none()) {
            return Err(changed.into());
        }
        if self.ignores_marks.replace(true) {
            self.incoming.mix();
            return Ok(());
        }
        self.conditional.set(false);
        Err(Interruption::Again(changed, Some(0)))
    }

    /// The error of a download that is given up: the reader's connection is to be checked where no bytes came, or there is none.
    pub(super) fn given_up(&self, error: WorkerError) -> WorkerError {
        match error {
            WorkerError::Network { url, why } if self.is_reached.get() && is_online() => {
                WorkerError::DownloadIncomplete { url, why }
            }
            error => error,
        }
    }
}
