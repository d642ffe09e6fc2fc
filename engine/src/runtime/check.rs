//! The self-check of a device: a known question, and where its answer is wrong, which kernel is, and whether another shape of
//! that kernel is right.

use super::error::Error;
use super::lockstep::Comparison;
use super::probe::Probe;
use crate::backend::{Device, DeviceError};
use crate::kernels::other_shapes;
use crate::shaders::Batch;

/// Largest accepted distance of a device from the CPU: sum of squared differences over sum of squares. Kernels with
/// f32 arithmetic stay below 1e-9; a wrong lane or a lost carry is far above.
const NMSE_MAX: f64 = 1e-6;

/// A device that has passed, and what it took.
#[derive(Clone)]
pub struct Passed {
    /// The device, whose kernels have shapes that are right on it.
    pub device: Device,
    /// What is wrong on it and was replaced by another shape; empty for almost every device.
    pub replaced: Vec<WrongKernel>,
}

/// A kernel whose values are wrong on a device.
#[derive(Debug, Clone, PartialEq)]
pub struct WrongKernel {
    /// The step's name.
    pub step: &'static str,
    /// For how many tokens.
    pub batch: Batch,
    /// How far its values are from the CPU's.
    pub nmse: f64,
}

impl std::fmt::Display for WrongKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let tokens = match self.batch {
            Batch::Many => "many tokens",
            Batch::Few => "a few tokens",
            Batch::One => "one token",
        };
        write!(f, "{} for {tokens} is off by {:.1e}", self.step, self.nmse)
    }
}

impl Device {
    /// Asks the device a known question twice, in weight formats of three families, for many tokens and for one. Where an
    /// answer is wrong, every kernel is compared with the CPU alone, and one that is wrong is replaced by its next shape,
    /// until the answers are right or no shape is left.
    ///
    /// # Errors
    /// `Wrong` names the kernel for which no shape is right; else what loading and running failed with, such as `Kernel` or
    /// `Lost`.
    pub async fn self_check(&self) -> Result<Passed, DeviceError> {
        // Enough to tell a good device from a bad one, little enough to compile at once.
        let probe = Probe { layers: 1, ..Probe::default() };
        let (mut device, mut replaced) = (self.clone(), Vec::new());
        let mut tried = Vec::from_iter(device.tuning());
        loop {
            let distance = probe.distance(&device).await.map_err(of_device)?;
            if distance <= NMSE_MAX {
                return Ok(Passed { device, replaced });
            }
            let wrong = probe.wrong_kernels(&device).await.map_err(of_device)?;
            let next = wrong.iter().find_map(|kernel| {
                let others = other_shapes(kernel.step, &device.tuning()?, kernel.batch);
                Some((kernel, others.into_iter().find(|other| !tried.contains(other))?))
            });
            let Some((kernel, tuning)) = next else {
                let kernels: Vec<String> = wrong.iter().map(ToString::to_string).collect();
                let detail = if kernels.is_empty() {
                    format!("all together are off by {distance:.1e}, where each kernel alone is right")
                } else {
                    kernels.join("; ")
                };
                return Err(DeviceError::Wrong { detail });
            };
            tried.push(tuning);
            replaced.push(kernel.clone());
            device = device.with_tuning(tuning);
        }
    }
}

impl Probe {
    /// The kernels that differ from the CPU, each with its largest distance, in the order in which they run.
    async fn wrong_kernels(&self, device: &Device) -> Result<Vec<WrongKernel>, Error> {
        let mut wrong: Vec<WrongKernel> = Vec::new();
        let note = |c: &Comparison| {
            if c.agrees() {
                return;
            }
            match wrong.iter_mut().find(|known| (known.step, known.batch) == (c.step, c.batch)) {
                Some(known) => known.nmse = known.nmse.max(c.nmse),
                None => wrong.push(WrongKernel { step: c.step, batch: c.batch, nmse: c.nmse }),
            }
        };
        self.compare_steps(device, note).await?;
        Ok(wrong)
    }
}

fn of_device(error: Error) -> DeviceError {
    match error {
        Error::Device(error) => error,
        other => DeviceError::Internal { detail: other.to_string() },
    }
}
