//! The self-check of a device, unless its GPU was asked at an earlier start.

use futures_util::future::LocalBoxFuture;
use pith_engine::FINGERPRINT;
use pith_engine::backend::{Device, DeviceError, UNNAMED_GPU};
use pith_engine::kernels::shapes;
use pith_engine::runtime::{Passed, Probe};

use crate::browser::scope;
use crate::checked::{Checked, Verdict};
use crate::store::{read_note, write_note};

/// A device that is right about a question.
#[derive(Clone)]
pub struct Checkup {
    /// With the shapes of kernels for models like the question.
    pub device: Device,
    /// Whether there are no shapes left to try.
    pub is_tuned: bool,
}

/// The device with kernels that are right on it. It is asked, unless this GPU has been asked before. Says when, and which
/// kernels were replaced.
///
/// # Errors
/// `Wrong`, also where that is known from an earlier start; else as [`ask`].
pub async fn check(device: &Device, name: &str, probe: &Probe) -> Result<(Checkup, String), DeviceError> {
    match known_verdict(device, name, probe).await {
        Some(Verdict::Right { tuning, replaced, is_tuned }) => {
            let tuning = shapes().into_iter().find(|shape| Some(shape.name()) == tuning);
            let device = tuning.map_or_else(|| device.clone(), |tuning| device.with_tuning(tuning));
            return Ok((Checkup { device, is_tuned }, format!(" at an earlier start{replaced}")));
        }
        Some(Verdict::Wrong { detail, .. }) => {
            return Err(DeviceError::Wrong { detail: format!("{detail}; found at an earlier start") });
        }
        None => {}
    }
    let result = ask(device, probe).await;
    let verdict = match &result {
        Ok((device, replaced)) => right(device, replaced.clone(), false),
        Err(DeviceError::Wrong { detail }) => {
            Verdict::Wrong { detail: detail.clone(), at_ms: js_sys::Date::now() }
        }
        // What was lost or had no memory may do better at the next start.
        Err(error) => return Err(error.clone()),
    };
    remember(device, name, probe, verdict).await;
    result.map(|(device, replaced)| (Checkup { device, is_tuned: false }, replaced))
}

/// The device with kernels that are right on it, and which were replaced, in words.
///
/// # Errors
/// As [`Device::self_check`].
pub async fn ask(device: &Device, probe: &Probe) -> Result<(Device, String), DeviceError> {
    // In a box, its code is there once.
    let asking: LocalBoxFuture<Result<Passed, DeviceError>> = Box::pin(device.self_check(probe));
    let passed = asking.await?;
    let kernels: Vec<String> = passed.replaced.iter().map(ToString::to_string).collect();
    let words = kernels.join("; ");
    Ok((
        passed.device,
        if kernels.is_empty() { words } else { format!(", with another kernel where {words}") },
    ))
}

/// That the device is right with its shapes.
pub fn right(device: &Device, replaced: String, is_tuned: bool) -> Verdict {
    Verdict::Right { tuning: device.tuning().map(|tuning| tuning.name()), replaced, is_tuned }
}

/// Where verdicts are kept.
const NOTE: &str = "pith-checked.json";

/// What is known of GPUs, and how this one is called there with this question; `None` for one without a name, which could be any.
async fn notes(device: &Device, name: &str, probe: &Probe) -> Option<(Checked, String, String)> {
    let browser = scope().navigator().user_agent().unwrap_or_default();
    let has_name = !name.is_empty() && name != UNNAMED_GPU && !browser.is_empty();
    let version = format!("{} {FINGERPRINT}", env!("CARGO_PKG_VERSION"));
    let checked = Checked::read(read_note(NOTE).await.as_deref(), &version);
    has_name.then(|| (checked, format!("{} on {name}, {}", device.info().kind, probe.name()), browser))
}

async fn known_verdict(device: &Device, name: &str, probe: &Probe) -> Option<Verdict> {
    let (checked, name, browser) = notes(device, name, probe).await?;
    checked.verdict(&name, &browser, js_sys::Date::now()).cloned()
}

/// Keeps what a device's check came to.
pub async fn remember(device: &Device, name: &str, probe: &Probe, verdict: Verdict) {
    if let Some((checked, name, browser)) = notes(device, name, probe).await {
        // Where it cannot be kept, the next start asks again.
        let _ = write_note(NOTE, &checked.add(&name, &browser, verdict)).await;
    }
}
