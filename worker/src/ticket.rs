//! An open request: how its job reports, and how it learns that it was cancelled or paused.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

use futures_util::future::{Either, select};
use gloo::timers::future::sleep;
use web_sys::AbortController;

use crate::browser::{Pace, now_ms, scope};
use crate::error::WorkerError;
use crate::notify::Notify;
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

/// What the page wants of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Running,
    Paused,
    Cancelled,
}

/// One open request.
#[derive(Debug)]
pub struct Ticket {
    /// The page's number for it.
    pub id: u32,
    wanted: Cell<Wanted>,
    changed: Notify,
    aborters: RefCell<Vec<Rc<AbortController>>>,
    pace: Pace,
    shown: Cell<Option<(Stage, f64)>>,
    /// Devices that were lost meanwhile.
    losses: Cell<u32>,
    /// True while a model is loaded again after the last of them.
    recovers: Cell<bool>,
    /// True where a text is generated for it.
    is_text: Cell<bool>,
}

/// Network traffic of a request. It ends with this value, and when the request is paused or cancelled.
pub struct Traffic<'a> {
    ticket: &'a Ticket,
    /// Its signal goes with every fetch.
    pub aborter: Rc<AbortController>,
}

impl Drop for Traffic<'_> {
    fn drop(&mut self) {
        self.aborter.abort();
        self.ticket.aborters.borrow_mut().retain(|known| !Rc::ptr_eq(known, &self.aborter));
    }
}

impl Ticket {
    /// For a request that just arrived.
    pub fn new(id: u32) -> Self {
        Ticket {
            id,
            wanted: Cell::new(Wanted::Running),
            changed: Notify::default(),
            aborters: RefCell::default(),
            pace: Pace::new(),
            shown: Cell::new(None),
            losses: Cell::new(0),
            recovers: Cell::new(false),
            is_text: Cell::new(false),
        }
    }

    /// Marks it as cancelled and ends its network traffic.
    pub fn cancel(&self) {
        self.want(Wanted::Cancelled);
    }

    /// A text is generated for it from now on, side by side with others.
    pub fn begin_text(&self) {
        self.is_text.set(true);
    }

    /// True after [`Ticket::begin_text`].
    pub fn is_text(&self) -> bool {
        self.is_text.get()
    }

    /// Holds its network traffic.
    pub fn pause(&self) {
        self.want(Wanted::Paused);
    }

    /// Goes on after [`Self::pause`].
    pub fn resume(&self) {
        self.want(Wanted::Running);
    }

    fn want(&self, wanted: Wanted) {
        if self.is_cancelled() {
            return;
        }
        self.wanted.set(wanted);
        if wanted != Wanted::Running {
            for aborter in self.aborters.take() {
                aborter.abort();
            }
        }
        self.changed.notify();
    }

    /// True after [`Ticket::cancel`].
    pub fn is_cancelled(&self) -> bool {
        self.wanted.get() == Wanted::Cancelled
    }

    /// True between [`Ticket::pause`] and [`Ticket::resume`].
    pub fn is_paused(&self) -> bool {
        self.wanted.get() == Wanted::Paused
    }

    /// Lets waiting messages be read, then says whether one of them was a `cancel`. Called between slices of work.
    ///
    /// # Errors
    /// `Cancelled`.
    pub async fn checkpoint(&self) -> Result<(), WorkerError> {
        self.pace.breathe().await;
        if self.is_cancelled() { Err(WorkerError::Cancelled) } else { Ok(()) }
    }

    /// Asked after a device was lost. Tells the page that the request goes on, unless that has happened too often.
    pub fn may_recover(&self) -> bool {
        /// Two losses within a minute are a step down, and there are two steps.
        const LOSSES_MAX: u32 = 8;
        self.losses.set(self.losses.get() + 1);
        let may = self.losses.get() <= LOSSES_MAX;
        if may {
            self.recovers.set(true);
            self.progress(Stage::Recover, 0, 0);
        }
        may
    }

    /// How often it went on after a lost device.
    pub fn recoveries(&self) -> u32 {
        self.losses.get()
    }

    /// Waits while it is paused.
    ///
    /// # Errors
    /// `Cancelled`.
    pub async fn unpaused(&self) -> Result<(), WorkerError> {
        self.changed.wait(|| (!self.is_paused()).then_some(())).await;
        if self.is_cancelled() { Err(WorkerError::Cancelled) } else { Ok(()) }
    }

    /// Waits for a time, or until it is cancelled.
    ///
    /// # Errors
    /// `Cancelled`.
    pub async fn sleep(&self, ms: u32) -> Result<(), WorkerError> {
        self.unless_cancelled(sleep(std::time::Duration::from_millis(ms.into()))).await
    }

    /// Waits for something, or until it is cancelled.
    ///
    /// # Errors
    /// `Cancelled`.
    pub async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Result<T, WorkerError> {
        let cancelled = self.changed.wait(|| self.is_cancelled().then_some(()));
        match select(pin!(cancelled), pin!(work)).await {
            Either::Left(_) => Err(WorkerError::Cancelled),
            Either::Right((result, _)) => Ok(result),
        }
    }

    /// Something that ends when the request is paused or cancelled; `None` where the browser has no such thing.
    pub fn traffic(&self) -> Option<Traffic<'_>> {
        let aborter = Rc::new(AbortController::new().ok()?);
        if self.wanted.get() != Wanted::Running {
            aborter.abort();
        }
        self.aborters.borrow_mut().push(Rc::clone(&aborter));
        Some(Traffic { ticket: self, aborter })
    }

    /// Posts an event of this request, unless it was cancelled: it may have ended with that.
    pub fn post(&self, event: Event) {
        if !self.is_cancelled() {
            post(self.id, event);
        }
    }

    /// Posts progress, at most twenty times a second within a stage; its first and last are always posted.
    pub fn progress(&self, stage: Stage, done: u64, total: u64) {
        self.timed_progress(stage, done, total, None, None);
    }

    /// As [`Self::progress`], with the speed and the time that is left.
    pub fn timed_progress(
        &self,
        stage: Stage,
        done: u64,
        total: u64,
        bytes_per_s: Option<f64>,
        left_ms: Option<f64>,
    ) {
        const EVERY_MS: f64 = 50.0;
        let stage = match stage {
            Stage::Load | Stage::Compile if self.recovers.get() => Stage::Recover,
            Stage::Prefill | Stage::Decode | Stage::Embed | Stage::Test | Stage::Tune => {
                self.recovers.set(false);
                stage
            }
            stage => stage,
        };
        let now = now_ms();
        let soon = matches!(self.shown.get(), Some((last, at)) if last == stage && now - at < EVERY_MS);
        if soon && done != total {
            return;
        }
        // The announcement of a stage does not hold back its first real number.
        self.shown.set((done > 0).then_some((stage, now)));
        self.post(Event::Progress { stage, done, total, bytes_per_s, left_ms });
    }
}
