//! One connection: asks for a span of a file until it has it.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use gloo::timers::callback::Interval;
use js_sys::{IteratorNext, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortController, Headers, ReadableStreamDefaultReader, RequestInit, Response};

use super::answer::{Answer, Meaning, condition, refusal};
use super::run::{Download, Goal, Parts};
use super::writer::Writer;
use crate::browser::{Exception, now_ms, scope, settle, since_1970_ms};
use crate::error::WorkerError;
use crate::protocol::Stage;
use crate::store::LEN_BYTES_MAX;

/// Attempts in a row that brought nothing, until it is given up.
const ATTEMPTS_MAX: u32 = 6;

/// The same for a server that never answered: then it is the address, or there is no network.
const FIRST_ATTEMPTS_MAX: u32 = 3;

/// The same for one that never said anything: each attempt waited long.
const SILENT_ATTEMPTS_MAX: u32 = 2;

/// Wait before the second attempt that follows one in vain; it doubles from there.
const WAIT_MS: u32 = 500;
const WAIT_MS_MAX: u32 = 8_000;

/// Wait after an attempt that brought something.
const WAIT_AFTER_SUCCESS_MS: u32 = 50;

thread_local! {
    static STALL_MS: Cell<u32> = const { Cell::new(20_000) };
}

/// The first byte may take so many times as long as those behind it: the server fetches or looks through the file first.
const FIRST_BYTE_FACTOR: u32 = 3;

/// A connection that is silent for so long is taken for dead.
pub fn set_stall_ms(ms: u32) {
    STALL_MS.set(ms.max(100));
}

/// Why an attempt ended early.
pub(super) enum Interruption {
    /// Another may succeed, after so many milliseconds if the server said when.
    Again(WorkerError, Option<u32>),
    /// None will.
    Final(WorkerError),
}

impl From<WorkerError> for Interruption {
    fn from(error: WorkerError) -> Self {
        Interruption::Final(error)
    }
}

/// The body of an answer.
pub(super) struct Body {
    /// Its first byte's place in the file.
    pub start: u64,
    /// Whether it goes to the file's end.
    pub to_end: bool,
    /// How long it is said to be, until that is believed or not.
    pub len_bytes: Cell<Option<u64>>,
}

/// Ends traffic when nothing arrives for too long.
pub(super) struct Watchdog {
    /// When it is over.
    end_ms: Rc<Cell<f64>>,
    _timer: Interval,
}

impl Watchdog {
    pub fn new(aborter: Rc<AbortController>) -> Watchdog {
        let stall_ms = STALL_MS.get();
        let end_ms = Rc::new(Cell::new(now_ms() + f64::from(stall_ms.saturating_mul(FIRST_BYTE_FACTOR))));
        let end = Rc::clone(&end_ms);
        let timer = Interval::new(stall_ms / 4, move || {
            if now_ms() > end.get() {
                aborter.abort();
            }
        });
        Watchdog { end_ms, _timer: timer }
    }

    fn feed(&self) {
        self.end_ms.set(now_ms() + f64::from(STALL_MS.get()));
    }
}

impl Download<'_> {
    /// Fetches a span of chunks; more where the server gives the whole file.
    pub(super) async fn fetch(&self, chunks: Range<usize>) -> Result<(), WorkerError> {
        let from = self.incoming.with(|record| record.ledger.wanted_from(chunks.start));
        let mut writer = Writer::new(self.incoming, from);
        let mut in_vain = 0;
        loop {
            if self.ticket.is_paused() {
                self.show(Stage::Paused, None);
            }
            self.ticket.unpaused().await?;
            let before = writer.position();
            let (error, after_ms) = match self.attempt(&mut writer, &chunks).await {
                Ok(()) => return Ok(()),
                Err(_) if self.ticket.is_cancelled() => return Err(WorkerError::Cancelled),
                Err(_) if self.ticket.is_paused() => continue,
                Err(Interruption::Final(error)) => return Err(error),
                Err(Interruption::Again(error, after_ms)) => (error, after_ms),
            };
            in_vain = if writer.position() > before { 0 } else { in_vain + 1 };
            if in_vain > 0 && self.ends_at(&error, writer.position()).await {
                self.learn_len(writer.position());
                return writer.finish().await;
            }
            let attempts_max = match self.is_reached.get() {
                true => ATTEMPTS_MAX,
                false if self.was_silent.get() => SILENT_ATTEMPTS_MAX,
                false => FIRST_ATTEMPTS_MAX,
            };
            if in_vain >= attempts_max {
                return Err(self.given_up(error));
            }
            self.change_plan(&error, in_vain);
            let backoff_ms = match in_vain {
                0 => WAIT_AFTER_SUCCESS_MS,
                n => (WAIT_MS << (n - 1)).min(WAIT_MS_MAX),
            };
            let wait_ms = after_ms.unwrap_or(backoff_ms);
            if wait_ms >= WAIT_MS {
                self.show(Stage::Retry, Some(wait_ms.into()));
            }
            self.ticket.sleep(wait_ms).await?;
        }
    }

    /// Asks for the first byte, to learn what the server says of the file now.
    ///
    /// # Errors
    /// `SourceChanged` where it is another than the one that is stored; those of a download.
    pub async fn look(&self) -> Result<(), WorkerError> {
        let looked = async {
            let Some(traffic) = self.ticket.traffic() else {
                return Err(WorkerError::Internal { why: "no AbortController".into() }.into());
            };
            let _watchdog = Watchdog::new(Rc::clone(&traffic.aborter));
            let response = self.ask(0, 1, &traffic.aborter).await?;
            self.accept(&read_answer(&response), 0).map(drop)
        };
        match looked.await {
            Err(_) if self.ticket.is_cancelled() => Err(WorkerError::Cancelled),
            Err(Interruption::Again(error, _) | Interruption::Final(error)) => Err(error),
            Ok(()) => Ok(()),
        }
    }

    /// The last byte that is wanted of a span, where it is known.
    fn end_of(&self, chunks: &Range<usize>, from: u64) -> u64 {
        let end = self.incoming.with(|record| record.ledger.range(chunks.end - 1).end);
        // Of a file that may turn out not to fit, no more than needed.
        let is_first = self.goal == Goal::Header && self.parts.get() == Parts::Unknown;
        let unit = self.incoming.write_bytes();
        if is_first { end.min((from / unit + 1) * unit) } else { end }
    }

    async fn attempt(&self, writer: &mut Writer<'_>, chunks: &Range<usize>) -> Result<(), Interruption> {
        let from = writer.position();
        let asked_end = self.end_of(chunks, from);
        let Some(traffic) = self.ticket.traffic() else {
            return Err(WorkerError::Internal { why: "no AbortController".into() }.into());
        };
        let watchdog = Watchdog::new(Rc::clone(&traffic.aborter));
        let response = self.ask(from, asked_end, &traffic.aborter).await?;
        self.is_reached.set(true);
        let answer = read_answer(&response);
        match self.accept(&answer, from)? {
            // The file ended where the last span did.
            None => Ok(writer.finish().await?),
            Some(body) => {
                let before = writer.position();
                let received = self.receive(&response, writer, &body, asked_end, &watchdog).await;
                if !body.to_end && from > 0 && writer.position() > before {
                    self.is_proven.set(true);
                }
                received
            }
        }
    }

    pub(super) async fn ask(
        &self,
        from: u64,
        end: u64,
        aborter: &AbortController,
    ) -> Result<Response, Interruption> {
        let (etag, modified) = self.incoming.with(|record| (record.etag.clone(), record.modified.clone()));
        let condition = condition(etag.as_deref(), modified.as_deref()).filter(|_| self.conditional.get());
        let headers = Headers::new().map_err(|error| self.network(error.into()))?;
        let set =
            |name: &str, value: &str| headers.set(name, value).map_err(|error| self.network(error.into()));
        let is_part = !self.asks_whole();
        let condition = condition.filter(|_| is_part);
        if is_part {
            set("range", &format!("bytes={from}-{}", end.saturating_sub(1)))?;
        }
        if let Some(condition) = condition {
            set("if-range", condition)?;
        }
        let init = RequestInit::new();
        init.set_headers(&headers);
        init.set_signal(Some(&aborter.signal()));
        // Parts of a file that the browser has in its cache could be of another version.
        init.set_cache(web_sys::RequestCache::NoStore);
        let asked = settle(scope().fetch_with_str_and_init(&self.url, &init)).await;
        asked.map_err(|error| {
            if condition.is_some() {
                // A server at another origin that was not asked whether it allows conditions: the marks of its answers
                // are compared instead.
                self.conditional.set(false);
            }
            self.network(error)
        })
    }

    fn network(&self, error: Exception) -> Interruption {
        self.was_silent.set(error.name == "AbortError");
        let why = match self.was_silent.get() {
            true => "the server was silent for too long; the setting stallMs says how long it may be".into(),
            false => error.to_string(),
        };
        Interruption::Again(WorkerError::Network { url: self.url.clone(), why }, None)
    }

    /// What the body of an answer is; `None` where there is nothing left to receive.
    fn accept(&self, answer: &Answer, from: u64) -> Result<Option<Body>, Interruption> {
        let changed = |why: &str| WorkerError::SourceChanged { url: self.url.clone(), why: why.into() };
        let (etag, modified) = self.incoming.with(|record| (record.etag.clone(), record.modified.clone()));
        match answer.meaning(from) {
            Meaning::Bytes { start, len_bytes, parts } => {
                if answer.is_of_another(etag.as_deref(), modified.as_deref()) {
                    self.outlive_mark(changed("its mark is another now"))?;
                }
                if answer.is_compressed_part() {
                    return Err(self.refuse_parts(from));
                }
                if let Some(len_bytes) = len_bytes.filter(|len_bytes| *len_bytes > LEN_BYTES_MAX) {
                    let why = format!("it says that the file has {len_bytes} bytes");
                    return Err(WorkerError::DownloadIncomplete { url: self.url.clone(), why }.into());
                }
                if let Some(len_bytes) = len_bytes.filter(|_| parts) {
                    if !self.learn_len(len_bytes) {
                        return Err(changed("its length is another now").into());
                    }
                    self.incoming.expect_len(len_bytes, true)?;
                }
                if start > from {
                    return Err(changed("the server sent other bytes than were asked for").into());
                }
                self.parts.set(if parts { Parts::Given } else { Parts::Refused });
                self.incoming.with(|record| {
                    record.etag = record.etag.take().or_else(|| answer.etag.clone());
                    record.modified = record.modified.take().or_else(|| answer.modified.clone());
                    let linked = answer.linked_etag.as_deref().map(|etag| etag.trim_matches('"'));
                    record.expected = record.expected.or_else(|| linked?.parse().ok());
                });
                Ok(Some(Body { start, to_end: !parts, len_bytes: Cell::new(len_bytes.filter(|_| !parts)) }))
            }
            Meaning::Beyond(_) if !self.incoming.may_end(from) => Err(self.refuse_parts(from)),
            Meaning::Beyond(len_bytes) if self.incoming.len_bytes().is_none() => {
                match self.learn_len(len_bytes.unwrap_or(from)) && self.incoming.len_bytes() == Some(from) {
                    true => Ok(None),
                    false => Err(changed("it is shorter now").into()),
                }
            }
            Meaning::Beyond(_) if self.incoming.len_bytes() == Some(from) => Ok(None),
            Meaning::Beyond(_) => Err(changed("it is shorter now").into()),
            Meaning::Later(after_ms) => {
                Err(Interruption::Again(refusal(&self.url, &self.named, answer.status), after_ms))
            }
            Meaning::Refused => Err(refusal(&self.url, &self.named, answer.status).into()),
        }
    }

    /// Takes a body.
    async fn receive(
        &self,
        response: &Response,
        writer: &mut Writer<'_>,
        body: &Body,
        asked_end: u64,
        watchdog: &Watchdog,
    ) -> Result<(), Interruption> {
        let stream =
            response.body().ok_or_else(|| Exception { name: String::new(), message: "no body".into() });
        let stream = stream.map_err(|error| self.network(error))?;
        let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
        // What is there already, of a server that always begins at the beginning.
        let mut skip = writer.position() - body.start;
        let end = || {
            let len_bytes = self.incoming.len_bytes();
            if body.to_end { len_bytes } else { Some(len_bytes.map_or(asked_end, |len| len.min(asked_end))) }
        };
        loop {
            self.believe_len(body)?;
            let left = end().map_or(u64::MAX, |end| end.saturating_sub(writer.position()));
            if left == 0 {
                break;
            }
            let next = match settle::<js_sys::Object>(reader.read()).await {
                Ok(next) => next.unchecked_into::<IteratorNext>(),
                Err(error) => return Err(self.network(error)),
            };
            if next.done() {
                break;
            }
            watchdog.feed();
            let bytes: Uint8Array = next.value().unchecked_into();
            let over = skip.min(bytes.length().into());
            skip -= over;
            let before = writer.held_bytes();
            // A part may be longer than what was asked for.
            let until = over.saturating_add(left).min(bytes.length().into());
            writer.push(&bytes.subarray(over as u32, until as u32)).await?;
            self.incoming.expect_len(writer.position(), false)?;
            self.count(before, writer);
            self.show(Stage::Download, None);
            self.ticket.checkpoint().await?;
            if self.goal == Goal::Header && self.incoming.look_for_header().await? {
                self.believe_len(body)?;
                let _ = settle::<JsValue>(reader.cancel()).await;
                return Ok(());
            }
        }
        let (position, end) = (writer.position(), end());
        if end.is_none() {
            self.incoming.expect_len(position, true)?;
        }
        let is_end = match end {
            // A server that hides how long the file is sends less at its end.
            Some(end) if position < end => !body.to_end && self.incoming.ends_at(position),
            _ => end.is_none(),
        };
        match end {
            Some(end) if position < end && !is_end => {
                let why = format!("it ended after {position} of {end} bytes");
                return Err(Interruption::Again(WorkerError::Network { url: self.url.clone(), why }, None));
            }
            _ if is_end && !self.learn_len(position) => {
                let why = "its length is another now".into();
                return Err(WorkerError::SourceChanged { url: self.url.clone(), why }.into());
            }
            _ => {}
        }
        let before = writer.held_bytes();
        writer.finish().await?;
        self.count(before, writer);
        Ok(())
    }

    /// Notes that a writer holds more or less than before.
    fn count(&self, before_bytes: u64, writer: &Writer<'_>) {
        let pending = self.pending_bytes.get() + writer.held_bytes();
        self.pending_bytes.set(pending.saturating_sub(before_bytes));
    }
}

fn read_answer(response: &Response) -> Answer {
    let headers = response.headers();
    let header = |name: &str| headers.get(name).ok().flatten();
    Answer {
        status: response.status(),
        range: header("content-range"),
        length: header("content-length"),
        encoding: header("content-encoding"),
        etag: header("etag"),
        modified: header("last-modified"),
        retry_after: header("retry-after").map(|text| in_seconds(&text)),
        linked_etag: header("x-linked-etag"),
    }
}

/// A date as the seconds until then, which is the other form of `retry-after`.
fn in_seconds(text: &str) -> String {
    let left_ms = js_sys::Date::parse(text) - since_1970_ms();
    if text.contains(':') { (left_ms.max(0.0) / 1000.0).ceil().to_string() } else { text.into() }
}
