//! After a lost device a request goes on with a new one: what it did is done again, or continued. Nobody else is told than
//! by progress.

use gloo::timers::future::TimeoutFuture;

use crate::browser::now_ms;
use crate::error::{Code, WorkerError};
use crate::residency::Residency;
use crate::ticket::Ticket;

/// Calls to a device fail before the browser says that it is lost, by so much at most.
const WORD_MS: f64 = 500.0;
const LOOK_EVERY_MS: u32 = 10;

/// Does `work`, and again with a new device while that is lost, within [`Ticket::may_recover`].
///
/// # Errors
/// Those of `work`.
pub async fn recovering<T>(
    residency: &mut Residency,
    ticket: &Ticket,
    mut work: impl AsyncFnMut(&mut Residency) -> Result<T, WorkerError>,
) -> Result<T, WorkerError> {
    loop {
        // In a box: these futures hold each other.
        let error = match Box::pin(work(residency)).await {
            Ok(result) => return Ok(result),
            Err(error) => explained(error, || residency.has_lost()).await,
        };
        if error.code() != Code::DeviceLost || !ticket.may_recover() {
            return Err(error);
        }
        residency.rest_lost();
    }
}

/// `DeviceLost` for an error of a device that turns out to be lost; others as they are.
pub async fn explained(error: WorkerError, is_lost: impl Fn() -> bool) -> WorkerError {
    if !error.is_of_device() {
        return error;
    }
    let end_ms = now_ms() + WORD_MS;
    while !is_lost() {
        if now_ms() >= end_ms {
            return error;
        }
        TimeoutFuture::new(LOOK_EVERY_MS).await;
    }
    WorkerError::Engine { code: "device_lost", detail: error.to_string() }
}
