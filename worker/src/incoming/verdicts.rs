//! What is known of the chunks of an open file.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::notify::Notify;

/// Which chunks were read, and what came of them.
#[derive(Default)]
pub struct Checking {
    /// Those that were compared, or are being compared.
    pub begun: RefCell<BTreeSet<usize>>,
    /// The chunk that was read last.
    pub last: RefCell<Option<(usize, Vec<u8>)>>,
    /// What is found.
    pub verdicts: Rc<Verdicts>,
}

/// What comparing them gives.
#[derive(Default)]
pub struct Verdicts {
    /// Chunks that are being compared.
    pub open: Cell<usize>,
    /// One was another than it was.
    pub is_damaged: Cell<bool>,
    /// When one of the two changes.
    pub changed: Notify,
}
