//! Counts what a device is asked to do.

use std::cell::Cell;
use std::rc::Rc;

use crate::backend::run::Counters;

/// The counters of a device. Clones share them.
#[derive(Clone, Default)]
pub struct Meter(Rc<Cell<Counters>>);

impl Meter {
    /// As they are now.
    pub fn counters(&self) -> Counters {
        self.0.get()
    }

    /// Adds to them.
    pub fn count(&self, change: impl FnOnce(&mut Counters)) {
        let mut counters = self.0.get();
        change(&mut counters);
        self.0.set(counters);
    }
}
