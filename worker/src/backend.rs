//! Which executor runs a model, and the sentence that says why.

use pith_engine::backend::{Device, DeviceError};

use crate::browser::{adapter_words, scope};
use crate::checked::Checked;
use crate::error::WorkerError;
use crate::protocol::{BackendChoice, BackendInfo};
use crate::store::{read_note, write_note};

/// A device and the reason for it.
#[derive(Clone)]
pub struct Chosen {
    /// The executor.
    pub device: Device,
    /// The adapter's name, or the instruction set.
    pub adapter: String,
    /// A sentence for the user.
    pub reason: String,
}

impl Chosen {
    /// As the page sees it.
    pub fn info(&self) -> BackendInfo {
        BackendInfo {
            kind: self.device.info().kind.into(),
            adapter: self.adapter.clone(),
            reason: self.reason.clone(),
        }
    }
}

/// Devices that are open. Opening one and checking it takes time, so each choice is made once.
#[derive(Default)]
pub struct Devices {
    auto: Option<Chosen>,
    webgpu: Option<Chosen>,
    cpu: Option<Chosen>,
}

impl Devices {
    /// The device for `choice`, made anew when the last one was lost.
    ///
    /// # Errors
    /// `NoAdapter`, `AdapterUnfit`, `DeviceLost`, only where WebGPU was asked for by name.
    pub async fn choose(&mut self, choice: BackendChoice) -> Result<Chosen, WorkerError> {
        let known = match choice {
            BackendChoice::Auto => &self.auto,
            BackendChoice::Webgpu => &self.webgpu,
            BackendChoice::Cpu => &self.cpu,
        };
        if let Some(known) = known
            && known.device.lost().is_none()
        {
            return Ok(known.clone());
        }
        let chosen = match choice {
            BackendChoice::Auto => best().await,
            BackendChoice::Webgpu => webgpu().await?,
            BackendChoice::Cpu => cpu("The CPU was asked for."),
        };
        let slot = match choice {
            BackendChoice::Auto => &mut self.auto,
            BackendChoice::Webgpu => &mut self.webgpu,
            BackendChoice::Cpu => &mut self.cpu,
        };
        Ok(slot.insert(chosen).clone())
    }

    /// What `auto` chose, once it did.
    pub fn automatic(&self) -> Option<BackendInfo> {
        self.auto.as_ref().map(Chosen::info)
    }
}

/// The automatic way down: WebGPU, then the CPU. WebGL2 will stand between them.
async fn best() -> Chosen {
    let device = match Device::webgpu().await {
        Ok(device) => device,
        Err(error) => return cpu(&format!("WebGPU cannot be used here ({error}).")),
    };
    let adapter = adapter_name(&device).await;
    if device.info().software {
        return cpu(&format!(
            "The only graphics adapter ({adapter}) is a software one, which is slower than the CPU."
        ));
    }
    match check(&device, &adapter).await {
        Ok(when) => {
            let reason = format!("{adapter} passed its self-check{when}.");
            Chosen { device, adapter, reason }
        }
        Err(error) => cpu(&format!("{adapter} failed its self-check ({error}).")),
    }
}

/// WebGPU, whatever the adapter, as long as its answers are right.
async fn webgpu() -> Result<Chosen, DeviceError> {
    let device = Device::webgpu().await?;
    let adapter = adapter_name(&device).await;
    let when = check(&device, &adapter).await?;
    let kind = if device.info().software { "a software" } else { "a hardware" };
    let reason = format!("WebGPU was asked for; this is {kind} adapter, which passed its self-check{when}.");
    Ok(Chosen { device, adapter, reason })
}

/// The self-check, unless this adapter has passed it before. Says when it did.
async fn check(device: &Device, adapter: &str) -> Result<&'static str, DeviceError> {
    const NOTE: &str = "pith-checked.json";
    let browser = scope().navigator().user_agent().unwrap_or_default();
    // An adapter without a name could be any.
    let has_name = !adapter.is_empty() && !browser.is_empty();
    let checked = Checked::read(read_note(NOTE).await.as_deref(), env!("CARGO_PKG_VERSION"));
    if has_name && checked.has_passed(adapter, &browser) {
        return Ok(" at an earlier start");
    }
    device.self_check().await?;
    if has_name {
        // Where it cannot be kept, the next start asks again.
        let _ = write_note(NOTE, &checked.add(adapter, &browser)).await;
    }
    Ok("")
}

fn cpu(reason: &str) -> Chosen {
    let device = Device::cpu();
    Chosen { adapter: device.info().adapter.clone(), device, reason: reason.into() }
}

/// In the browser's words, which say more than what the engine hears of them.
async fn adapter_name(device: &Device) -> String {
    match adapter_words().await {
        Some(words) => words,
        None => device.info().adapter.clone(),
    }
}
