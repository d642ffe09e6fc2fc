//! Generations side by side: each round does the next piece of work of all that run on one model.

use std::rc::Rc;

use pith_engine::runtime::{Generation, Turn};

use super::Order;
use super::under_way::UnderWay;
use crate::browser::now_ms;
use crate::device_loss::explained;
use crate::error::{Code, WorkerError};
use crate::protocol::{LoraUse, Outcome};
use crate::residency::{Residency, Resident};
use crate::ticket::Ticket;

/// How a request ends.
type End = Result<Outcome, WorkerError>;

/// A request that ended, and how.
pub type Ended = (Rc<Ticket>, End);

/// A request whose text is being generated.
pub struct Active {
    /// The request.
    pub ticket: Rc<Ticket>,
    /// The model's name.
    pub model: String,
    lora: Option<LoraUse>,
    order: Order,
    /// Absent until its first round.
    work: Option<UnderWay>,
    /// What it did when it was paused.
    paused: Option<Turn>,
}

impl Active {
    /// Has not begun.
    pub fn new(ticket: Rc<Ticket>, model: String, lora: Option<LoraUse>, order: Order) -> Self {
        Active { ticket, model, lora, order, work: None, paused: None }
    }

    /// Begins, or goes on with a model that was loaded again.
    async fn begin(&mut self, resident: &mut Resident) -> Result<(), WorkerError> {
        if self.runs_on(resident) {
            return Ok(());
        }
        resident.use_lora(self.lora.as_ref())?;
        match &mut self.work {
            Some(work) => work.resume(resident, &self.ticket),
            None => {
                self.work =
                    Some(UnderWay::begin(resident, (&self.order, self.lora.is_some()), &self.ticket).await?);
                Ok(())
            }
        }
    }

    fn runs_on(&self, resident: &Resident) -> bool {
        self.work.as_ref().is_some_and(|work| work.epoch == resident.epoch)
    }

    /// Its end, where it ends with what was done.
    fn take(&mut self, resident: &mut Resident, turn: Turn) -> Result<Option<Outcome>, WorkerError> {
        let Some(work) = &mut self.work else { return Ok(None) };
        let done = (&turn.chosen[..], turn.event);
        let Some(reason) = work.take(resident, &self.order, done, &self.ticket)? else { return Ok(None) };
        let recoveries = self.ticket.recoveries();
        Ok(self.work.take().map(|work| work.finish(resident, &self.order, reason, recoveries)))
    }

    /// Gives its pages back.
    fn end(self, residency: &mut Residency) -> Rc<Ticket> {
        if let (Some(work), Ok(resident)) = (self.work, residency.resident(&self.model))
            && work.epoch == resident.epoch
        {
            work.generation.end(&mut resident.model);
        }
        self.ticket
    }
}

/// Does the next piece of work of these, which all run on the model called `name`; text goes out as `token` events. Those that end
/// are taken out. Where the model's device is lost they go on with a new one.
pub async fn round(residency: &mut Residency, name: &str, active: &mut Vec<Active>) -> Vec<Ended> {
    let mut ended = Vec::new();
    for one in active.extract_if(.., |one| one.ticket.is_cancelled()).collect::<Vec<_>>() {
        ended.push((one.end(residency), Err(WorkerError::Cancelled)));
    }
    let Some(first) = active.first() else { return ended };
    let (ticket, lora) = (Rc::clone(&first.ticket), first.lora.clone());
    let ends = match residency.model(name, lora.as_ref(), &ticket).await {
        Ok(resident) => step(resident, active).await,
        Err(error) => vec![Some(Err(error))],
    };
    let mut is_lost = false;
    for (at, end) in ends.into_iter().enumerate().rev() {
        let Some(end) = end else { continue };
        match end {
            Ok(outcome) => ended.push((active.remove(at).ticket, Ok(outcome))),
            Err(error) => {
                let error = explained(error, || residency.has_lost(name)).await;
                if error.code() == Code::DeviceLost && active[at].ticket.may_recover() {
                    is_lost = true;
                } else {
                    ended.push((active.remove(at).end(residency), Err(error)));
                }
            }
        }
    }
    if is_lost {
        residency.rest_lost();
    }
    ended
}

/// One step of each, and how those end that end with it.
async fn step(resident: &mut Resident, active: &mut [Active]) -> Vec<Option<End>> {
    let mut ends = Vec::with_capacity(active.len());
    for one in &mut *active {
        let begun = match one.begin(resident).await {
            Ok(()) => one.paused.take().map_or(Ok(None), |turn| one.take(resident, turn)),
            Err(error) => Err(error),
        };
        ends.push(begun.transpose());
    }
    let mut turns = Vec::new();
    let mut all: Vec<&mut Generation> = Vec::with_capacity(active.len());
    for (one, _) in active.iter_mut().zip(&ends).filter(|(_, end)| end.is_none()) {
        all.extend(one.work.as_mut().map(|work| &mut work.generation));
    }
    if !all.is_empty() {
        Generation::step_all(&mut resident.model, &mut all, &now_ms, &mut turns).await;
    }
    let going = active.iter_mut().zip(&mut ends).filter(|(_, end)| end.is_none());
    for ((one, end), turn) in going.zip(turns) {
        *end = one.take(resident, turn).transpose();
    }
    ends
}

/// Lets something else use the models: those that run give their pages back, and take them again in their next round.
pub async fn pause(residency: &mut Residency, active: &mut [Active]) {
    for one in active {
        let Ok(resident) = residency.resident(&one.model) else { continue };
        if !one.runs_on(resident) || one.paused.is_some() {
            continue;
        }
        let Some(work) = &mut one.work else { continue };
        let mut chosen = Vec::new();
        let event = work.generation.pause(&mut resident.model, &now_ms, &mut chosen).await;
        one.paused = Some(Turn { chosen, event: event.transpose() });
    }
}
