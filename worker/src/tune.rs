//! Tries shapes of kernels on loaded models: when there is nothing else to do, and when a page asks for it.

use std::cell::Cell;

use futures_util::future::LocalBoxFuture;
use pith_engine::backend::Device;
use pith_engine::runtime::{Tried, TriedShape, Tuner};

use crate::browser::now_ms;
use crate::error::WorkerError;
use crate::protocol::{Stage, TunedChoice, TunedShape, TunedTime, TuningReport};
use crate::residency::Residency;
use crate::ticket::Ticket;

/// How long is tried after one piece of work. The rest comes after the next one.
const AT_ONCE_MS: f64 = 2_000.0;

thread_local! {
    static IS_WANTED: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Whether models that are loaded from now on are tuned when there is nothing else to do; an emulated GPU is not unless it is said.
pub fn want_tuning(wanted: bool) {
    IS_WANTED.set(Some(wanted));
}

/// Whether shapes are tried on this device without being asked for.
pub fn is_tuned_when_idle(device: &Device) -> bool {
    IS_WANTED.get().unwrap_or(!device.info().software)
}

/// What is done of it while the worker is idle.
#[derive(Default)]
pub struct IdleTuning {
    spent_ms: f64,
}

impl IdleTuning {
    /// Takes the next measurement. False where there is none, or it is time to rest.
    pub async fn step(&mut self, residency: &mut Residency) -> bool {
        if self.spent_ms >= AT_ONCE_MS {
            return false;
        }
        let Some(name) = residency.next_to_tune() else { return false };
        let begun_ms = now_ms();
        // Of a device that fails the next request is told.
        let _ = step(residency, &name).await;
        self.spent_ms += now_ms() - begun_ms;
        true
    }
}

/// The next measurement of a model's tuner, in one place for both who want it. What was tried, once that was all.
fn step<'a>(
    residency: &'a mut Residency,
    name: &'a str,
) -> LocalBoxFuture<'a, Result<Option<Vec<TunedChoice>>, WorkerError>> {
    Box::pin(async move {
        let resident = residency.resident(name)?;
        let Some(mut tuner) = resident.tuner.take() else { return Ok(Some(Vec::new())) };
        if tuner.step(&mut resident.model, &now_ms).await? {
            resident.tuner = Some(tuner);
            return Ok(None);
        }
        residency.keep_tuning(name, tuner.tuning()).await;
        Ok(Some(tuner.results().iter().map(choice).collect()))
    })
}

/// Tries all shapes on the model called `name`.
///
/// # Errors
/// `ModelNotLoaded`, `Cancelled`, what the device reports.
pub async fn tune(
    residency: &mut Residency,
    name: &str,
    ticket: &Ticket,
) -> Result<TuningReport, WorkerError> {
    let resident = residency.model(name, None, ticket).await?;
    let device = resident.chosen.name.clone();
    let copy_bytes_per_s = Tuner::copy_speed(&mut resident.model, &now_ms).await?;
    resident.tuner = Tuner::new(&resident.model);
    let mut done = 0;
    loop {
        if let Err(error) = ticket.checkpoint().await {
            residency.resident(name)?.tuner = None;
            return Err(error);
        }
        ticket.progress(Stage::Tune, done, 0);
        done += 1;
        if let Some(choices) = step(residency, name).await? {
            return Ok(TuningReport { device, copy_bytes_per_s, choices });
        }
    }
}

fn choice(tried: &Tried) -> TunedChoice {
    let shape = |shape: &TriedShape| TunedShape {
        name: shape.tuning.name(),
        times: shape
            .times
            .iter()
            .map(|time| TunedTime {
                tokens: time.tokens as u32,
                ms: time.ms,
                weight_bytes: time.weight_bytes,
                operations: 2 * time.products,
            })
            .collect(),
    };
    TunedChoice {
        kernel: tried.step.into(),
        shapes: tried.shapes.iter().map(shape).collect(),
        fastest: tried.fastest as u32,
    }
}
