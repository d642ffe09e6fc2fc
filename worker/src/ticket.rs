//! An open request: how its job reports, and how it learns that it was cancelled.

use std::cell::{Cell, RefCell};

use web_sys::{AbortController, AbortSignal};

use crate::browser::{Pace, now_ms, scope};
use crate::error::WorkerError;
use crate::protocol::{Event, EventMessage, PROTOCOL_VERSION, Stage};

/// Posts an event to the page.
pub fn post(id: u32, event: Event) {
    use serde::Serialize;
    let message = EventMessage { version: PROTOCOL_VERSION, id, event };
    let serializer = serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true);
    if let Ok(value) = message.serialize(&serializer) {
        // Posting fails only for values that cannot be cloned, and these are plain data.
        let _ = scope().post_message(&value);
    }
}

/// One open request.
#[derive(Debug)]
pub struct Ticket {
    /// The page's number for it.
    pub id: u32,
    cancelled: Cell<bool>,
    aborter: RefCell<Option<AbortController>>,
    pace: Pace,
    shown: Cell<Option<(Stage, f64)>>,
}

impl Ticket {
    /// For a request that just arrived.
    pub fn new(id: u32) -> Self {
        Ticket {
            id,
            cancelled: Cell::new(false),
            aborter: RefCell::new(None),
            pace: Pace::new(),
            shown: Cell::new(None),
        }
    }

    /// Marks it as cancelled and aborts its network traffic.
    pub fn cancel(&self) {
        self.cancelled.set(true);
        if let Some(aborter) = self.aborter.take() {
            aborter.abort();
        }
    }

    /// True after [`Ticket::cancel`].
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.get()
    }

    /// Lets waiting messages be read, then says whether one of them was a `cancel`. Called between slices of work.
    ///
    /// # Errors
    /// `Cancelled`.
    pub async fn checkpoint(&self) -> Result<(), WorkerError> {
        self.pace.breathe().await;
        if self.is_cancelled() { Err(WorkerError::Cancelled) } else { Ok(()) }
    }

    /// A signal that fires when the request is cancelled; absent where the browser has none.
    pub fn abort_signal(&self) -> Option<AbortSignal> {
        let aborter = AbortController::new().ok()?;
        if self.is_cancelled() {
            aborter.abort();
        }
        let signal = aborter.signal();
        self.aborter.replace(Some(aborter));
        Some(signal)
    }

    /// Posts an event of this request.
    pub fn post(&self, event: Event) {
        post(self.id, event);
    }

    /// Posts progress, at most twenty times a second within a stage; its first and last are always posted.
    pub fn progress(&self, stage: Stage, done: u64, total: u64) {
        const EVERY_MS: f64 = 50.0;
        let now = now_ms();
        let soon = matches!(self.shown.get(), Some((last, at)) if last == stage && now - at < EVERY_MS);
        if soon && done != total {
            return;
        }
        // The announcement of a stage does not hold back its first real number.
        self.shown.set((done > 0).then_some((stage, now)));
        self.post(Event::Progress { stage, done, total });
    }
}
