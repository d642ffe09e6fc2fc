//! Firefox looks whether a read-back is there every 100 ms, unless something is submitted behind it (bug 1870699).

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use futures_channel::oneshot::{Canceled, Receiver};
use gloo_timers::future::TimeoutFuture;

/// The longest pause between two submissions.
const PAUSE_MS_MAX: u32 = 16;

/// Submits something empty while a read-back is awaited, in browsers that need it.
#[derive(Default)]
pub struct Nudge {
    /// Whether this browser needs it.
    pub is_needed: Cell<bool>,
}

impl Nudge {
    /// What is received. Until then `submit` is called after 1, 2, 4 ... ms where that is needed.
    ///
    /// # Errors
    /// `Canceled` where nobody will send.
    pub async fn wait<T>(&self, receive: Receiver<T>, submit: impl Fn()) -> Result<T, Canceled> {
        let mut receive = pin!(receive);
        let mut pause_ms = 1;
        while self.is_needed.get() {
            if let Some(received) = within(receive.as_mut(), pause_ms).await {
                return received;
            }
            submit();
            pause_ms = (2 * pause_ms).min(PAUSE_MS_MAX);
        }
        receive.await
    }
}

/// What comes of a future within so many milliseconds; `None` where it takes longer.
pub async fn within<T>(mut future: Pin<&mut impl Future<Output = T>>, ms: u32) -> Option<T> {
    let mut timer = pin!(TimeoutFuture::new(ms));
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(value) => Poll::Ready(Some(value)),
        Poll::Pending => timer.as_mut().poll(context).map(|()| None),
    })
    .await
}
