//! Waiting for a read-back in a browser that looks at its read-backs every 100 ms, as Firefox does unless something is submitted
//! behind them (bug 1870699).

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use futures_channel::oneshot::{Canceled, Receiver};
use gloo_timers::future::TimeoutFuture;

/// Longer than most work takes, and much shorter than such a browser waits.
const PATIENT_MS: u32 = 30;
/// As soon after something was submitted a read-back comes that had only waited for it.
const SOON_MS: u32 = 5;
/// The shortest that browsers sleep.
const IMPATIENT_MS: u32 = 1;
/// How often in a row that must have helped before it is no chance.
const HELPED_ENOUGH: u32 = 3;

/// Whether this browser is one of those.
#[derive(Default)]
pub struct Impatience {
    /// In a row.
    helped: Cell<u32>,
}

impl Impatience {
    /// What is received. `submit` submits something empty, at first only where it takes long; often, once that has helped.
    ///
    /// # Errors
    /// `Canceled` where nobody will send.
    pub async fn wait<T>(&self, receive: Receiver<T>, submit: impl Fn()) -> Result<T, Canceled> {
        let mut receive = pin!(receive);
        let is_slow = self.helped.get() >= HELPED_ENOUGH;
        let mut has_submitted = false;
        loop {
            let ms = match (is_slow, has_submitted) {
                (true, _) => IMPATIENT_MS,
                (false, true) => SOON_MS,
                (false, false) => PATIENT_MS,
            };
            let mut timer = pin!(TimeoutFuture::new(ms));
            let received = poll_fn(|context| match receive.as_mut().poll(context) {
                Poll::Ready(received) => Poll::Ready(Some(received)),
                Poll::Pending => timer.as_mut().poll(context).map(|()| None),
            });
            if let Some(received) = received.await {
                if has_submitted && !is_slow {
                    self.helped.set(self.helped.get() + 1);
                }
                return received;
            }
            // Whatever takes longer now is work.
            if has_submitted && !is_slow {
                self.helped.set(0);
                return receive.await;
            }
            submit();
            has_submitted = true;
        }
    }
}
