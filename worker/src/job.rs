//! What waits for its turn with the models.

use std::collections::BTreeSet;
use std::rc::Rc;

use futures_util::future::LocalBoxFuture;
use web_sys::Blob;

use crate::error::WorkerError;
use crate::generate::{Active, Order};
use crate::protocol::{LoraUse, Outcome};
use crate::residency::Residency;
use crate::ticket::Ticket;
use crate::wish::Wish;

/// How a request ends.
pub type End = Result<Outcome, WorkerError>;

/// What a job needs the models for.
#[derive(Debug)]
pub enum Uses {
    /// For this one. The job waits while it is being loaded.
    Model(String),
    /// For none in particular.
    Residency,
    /// For nothing but their names and sizes. Such a job does not keep idle models in memory.
    Nothing,
}

/// What a job means for texts that are being generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// They keep their pages of the KV cache: it needs none.
    Beside,
    /// They give their pages back meanwhile.
    Instead,
    /// Those of its model end first.
    Afterwards,
}

/// Most texts that a model generates side by side.
const TEXTS_MAX: usize = 8;

/// Work with the models.
pub type Turn = dyn for<'a> FnOnce(&'a mut Residency, &'a Ticket) -> LocalBoxFuture<'a, End>;

/// What a job does when its turn comes.
pub enum Work {
    /// Loads a model. That goes on beside the queue, because its files may have to arrive first.
    Load(Wish, Vec<Blob>),
    /// Generates a text.
    Generation(Option<LoraUse>, Box<Order>),
    /// Works with the models.
    Turn(Manner, Box<Turn>),
}

/// A request that waits for its turn.
pub struct Job {
    /// The request.
    pub ticket: Rc<Ticket>,
    /// What it needs the models for.
    pub uses: Uses,
    /// What it does.
    pub work: Work,
}

impl Job {
    /// Whether it asks for one of these models.
    pub fn uses_any(&self, models: &BTreeSet<String>) -> bool {
        matches!(&self.uses, Uses::Model(name) if models.contains(name))
    }

    /// Whether it has to wait until texts of its model have ended, and whether what asks for the same model later waits with it.
    pub fn waits_for(&self, active: &[Active]) -> (bool, bool) {
        let Uses::Model(name) = &self.uses else { return (false, false) };
        let texts = active.iter().filter(|one| one.model == *name).count();
        match self.work {
            Work::Load(..) | Work::Turn(Manner::Afterwards, _) => (texts > 0, true),
            Work::Generation(..) => (texts >= TEXTS_MAX, false),
            Work::Turn(..) => (false, false),
        }
    }
}
