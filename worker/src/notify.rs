//! Waking what waits for a change, on one thread.

use std::cell::RefCell;
use std::future::poll_fn;
use std::task::{Poll, Waker};

/// A change that others can wait for.
#[derive(Debug, Default)]
pub struct Notify(RefCell<Vec<Waker>>);

impl Notify {
    /// Lets everybody who waits look again.
    pub fn notify(&self) {
        self.0.take().into_iter().for_each(Waker::wake);
    }

    /// Waits until `ready` gives something. It is asked now, and after every change.
    pub async fn wait<T>(&self, mut ready: impl FnMut() -> Option<T>) -> T {
        poll_fn(|context| match ready() {
            Some(value) => Poll::Ready(value),
            None => {
                self.0.borrow_mut().push(context.waker().clone());
                Poll::Pending
            }
        })
        .await
    }
}
