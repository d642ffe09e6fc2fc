//! The self-check of a device: a known question, and where its answer is wrong, which kernel is, and whether another shape of
//! that kernel is right.

use super::error::Error;
use super::lockstep::Comparison;
use super::probe::Probe;
use crate::backend::{Device, DeviceError};
use crate::formats::Precision;
use crate::kernels::choices;
use crate::plan::Feature;
use crate::shaders::{Batch, Choice, FEW, Tuning};

/// Largest accepted distance of a device from the CPU: sum of squared differences over sum of squares. Kernels with
/// f32 arithmetic stay below 1e-9; a wrong lane or a lost carry is far above.
const NMSE_MAX: f64 = 1e-6;
/// The same where products of many tokens are those of integers, which lie at 1e-4.
const PACKED_NMSE_MAX: f64 = 1e-3;

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

impl WrongKernel {
    /// Shapes that were not tried, and that differ from the device's in this kernel only.
    fn others(&self, device: &Device, tried: &[Tuning]) -> Vec<Tuning> {
        let Some(tuning) = device.tuning() else { return Vec::new() };
        let is_of_this = |choice: &Choice| choice.step == self.step && choice.batches.contains(&self.batch);
        let others = choices(&tuning).into_iter().filter(is_of_this).flat_map(|choice| choice.shapes);
        others.filter(|other| !tried.contains(other)).collect()
    }

    /// The kernel that has tiles.
    fn of_tiles(device: &Device, nmse: f64) -> Option<WrongKernel> {
        let of_many = |choice: &Choice| choice.batches == [Batch::Many];
        let step = choices(&device.tuning()?).into_iter().find(of_many)?.step;
        Some(WrongKernel { step, batch: Batch::Many, nmse })
    }

    fn is_like(&self, other: &WrongKernel) -> bool {
        (self.step, self.batch) == (other.step, other.batch)
    }
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
    /// The same device, with products of floats for many tokens.
    fn without_integers(&self) -> Device {
        let floats = |tuning: Tuning| self.with_tuning(Tuning { tile: tuning.tile.unpacked(), ..tuning });
        self.tuning().map_or_else(|| self.clone(), floats)
    }

    /// Asks the device a known question twice, for many tokens, a few and one. Where an answer is wrong, every kernel is compared
    /// with the CPU by itself, and one that is wrong is replaced by its next shape, until the answers are right or no shape is left.
    /// The question is best one like the model that is to run ([`Probe::like`]): its kernels are compiled then.
    ///
    /// # Errors
    /// `Wrong` names the kernel for which no shape is right; else what loading and running failed with, such as `Kernel` or
    /// `Lost`.
    pub async fn self_check(&self, probe: &Probe) -> Result<Passed, DeviceError> {
        let (mut device, mut replaced) = (self.clone(), Vec::<WrongKernel>::new());
        let probe = &match probe.integers(&device).await? {
            None => probe.clone(),
            // What remains is asked without the kernels for many tokens, which would be compiled for this only.
            Some(nmse) if nmse <= PACKED_NMSE_MAX => Probe { prompt_tokens: FEW as usize, ..probe.clone() },
            Some(nmse) => {
                replaced.extend(WrongKernel::of_tiles(&device, nmse));
                device = device.without_integers();
                probe.clone()
            }
        };
        let mut tried = Vec::from_iter(device.tuning());
        let want = probe.answer(&Device::cpu()).await.map_err(of_device)?;
        loop {
            let wrong = match (probe.distance_from(&want, &device).await, replaced.last()) {
                (Ok(distance), _) if distance <= NMSE_MAX => return Ok(Passed { device, replaced }),
                (Ok(distance), _) => {
                    let wrong = probe.wrong_kernels(&device).await.map_err(of_device)?;
                    if wrong.is_empty() {
                        return Err(probe.wrong_together(&want, &device, distance).await);
                    }
                    wrong
                }
                // Another shape that does not compile is wrong as well.
                (Err(Error::Device(DeviceError::Kernel { .. })), Some(last)) => vec![last.clone()],
                (Err(error), _) => return Err(of_device(error)),
            };
            let others: Vec<Vec<Tuning>> =
                wrong.iter().map(|kernel| kernel.others(&device, &tried)).collect();
            // One that cannot be replaced is enough.
            let (true, Some(next)) =
                (others.iter().all(|others| !others.is_empty()), others.concat().first().copied())
            else {
                let kernels: Vec<String> = wrong.iter().map(ToString::to_string).collect();
                return Err(DeviceError::Wrong { detail: kernels.join("; ") });
            };
            tried.push(next);
            if !replaced.iter().any(|known| known.is_like(&wrong[0])) {
                replaced.push(wrong[0].clone());
            }
            device = device.with_tuning(next);
        }
    }
}

impl Probe {
    /// The error of a device on which each kernel is right by itself. One that is right when it is asked again is not called
    /// wrong.
    async fn wrong_together(&self, want: &[Vec<f32>], device: &Device, distance: f64) -> DeviceError {
        let off = format!("all together are off by {distance:.1e}, where each kernel by itself is right");
        match self.distance_from(want, device).await {
            Ok(again) if again <= NMSE_MAX => {
                DeviceError::Internal { detail: format!("{off}; asked again they are right") }
            }
            Ok(_) => DeviceError::Wrong { detail: off },
            Err(error) => of_device(error),
        }
    }

    /// How far the device is off with products of integers for many tokens; `None` where it has none for this model.
    async fn integers(&self, device: &Device) -> Result<Option<f64>, DeviceError> {
        let coded = self
            .formats
            .iter()
            .chain(self.matrices.iter().map(|(_, format, _)| format))
            .any(|f| f.is_coded());
        let can = device.limits().features.has(Feature::PackedDot) && coded && !self.encoder;
        if !can || !device.tuning().is_some_and(|tuning| tuning.tile.packed) {
            return Ok(None);
        }
        let want = self.answer(&Device::cpu()).await.map_err(of_device)?;
        let fast = Probe { precision: Precision::Fast, ..self.clone() };
        match fast.distance_from(&want, device).await {
            Ok(distance) => Ok(Some(distance)),
            Err(Error::Device(DeviceError::Kernel { .. })) => Ok(Some(f64::INFINITY)),
            Err(error) => Err(of_device(error)),
        }
    }

    /// The kernels that differ from the CPU, each with its largest distance, in the order in which they run.
    async fn wrong_kernels(&self, device: &Device) -> Result<Vec<WrongKernel>, Error> {
        let mut wrong: Vec<WrongKernel> = Vec::new();
        let note = |c: &Comparison| {
            if c.agrees() {
                return;
            }
            let kernel = WrongKernel { step: c.step, batch: c.batch, nmse: c.nmse };
            match wrong.iter_mut().find(|known| known.is_like(&kernel)) {
                Some(known) => known.nmse = known.nmse.max(c.nmse),
                None => wrong.push(kernel),
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
