//! Work on a list by several threads.

use std::sync::{Mutex, PoisonError};

/// Does it for every item, `at_once_max` of them at a time. Results come in the order in which they were there; a panic
/// goes on to the caller.
pub fn each<'a, T: Sync, R: Send>(
    items: &'a [T],
    at_once_max: usize,
    work: impl Fn(&'a T) -> R + Sync,
) -> Vec<R> {
    let waiting = Mutex::new(items.iter());
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 0..at_once_max.min(items.len()) {
            scope.spawn(|| {
                while let Some(item) = next() {
                    let result = work(item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push(result);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}
