//! Encoding in slices: long texts, and vocabularies made to be slow, must not hold up whoever else waits.

use super::error::TokenizerError;
use std::cell::Cell;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Steps of a slice. One is a look-up or two, so that a slice takes some milliseconds.
pub const STEPS_PER_SLICE: usize = 1 << 12;
/// Characters, or merges, that are worked on between two looks at the count.
pub(crate) const RUN: usize = 1 << 10;

/// Counts steps, and stops where a slice has had its share.
#[derive(Debug, Default)]
pub(crate) struct Turns(Cell<usize>);

impl Turns {
    /// Adds steps that were taken.
    pub(crate) async fn spend(&self, steps: usize) {
        self.0.set(self.0.get() + steps);
        while self.0.get() >= STEPS_PER_SLICE {
            self.0.set(self.0.get() - STEPS_PER_SLICE);
            let mut was_asked = false;
            let next = |_: &mut Context<'_>| {
                if std::mem::replace(&mut was_asked, true) { Poll::Ready(()) } else { Poll::Pending }
            };
            poll_fn(next).await;
        }
    }
}

/// A text that is being encoded, slice by slice.
pub struct Encoding<'a>(Pin<Box<dyn Future<Output = Result<Vec<u32>, TokenizerError>> + 'a>>);

impl<'a> Encoding<'a> {
    pub(crate) fn new(work: impl Future<Output = Result<Vec<u32>, TokenizerError>> + 'a) -> Self {
        Self(Box::pin(work))
    }

    /// The next slice. The ids, once they are complete; not to be called after that.
    pub fn step(&mut self) -> Option<Result<Vec<u32>, TokenizerError>> {
        match self.0.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(ids) => Some(ids),
            Poll::Pending => None,
        }
    }

    /// All slices at once.
    ///
    /// # Errors
    /// As of [`super::Tokenizer::encode`].
    pub fn finish(mut self) -> Result<Vec<u32>, TokenizerError> {
        loop {
            if let Some(ids) = self.step() {
                return ids;
            }
        }
    }
}

impl std::fmt::Debug for Encoding<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoding").finish_non_exhaustive()
    }
}

/// Work with all its slices at once.
#[cfg(test)]
pub(crate) fn finished<T>(work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        if let Poll::Ready(result) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
    }
}
