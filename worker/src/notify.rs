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
                // A task that has other things to wait for looks often.
                let mut waiting = self.0.borrow_mut();
                if !waiting.iter().any(|known| known.will_wake(context.waker())) {
                    waiting.push(context.waker().clone());
                }
                Poll::Pending
            }
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::Context;

    #[test]
    fn a_task_that_looks_often_waits_once() {
        let (notify, mut context) = (Notify::default(), Context::from_waker(Waker::noop()));
        for _ in 0..100 {
            assert!(pin!(notify.wait(|| None::<()>)).poll(&mut context).is_pending());
        }
        assert_eq!(notify.0.borrow().len(), 1);
        notify.notify();
        assert!(notify.0.borrow().is_empty());
    }
}
