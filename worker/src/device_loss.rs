//! Whether an error means that the device is lost. Calls fail before the browser says so.

use gloo::timers::future::TimeoutFuture;

use crate::browser::now_ms;
use crate::error::WorkerError;

/// How much later the browser says it, at most.
const WORD_MS: f64 = 500.0;
const LOOK_EVERY_MS: u32 = 10;

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
