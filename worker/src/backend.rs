//! Which executor runs a model, and the sentence that says why.

use pith_engine::backend::{Device, DeviceError};

use crate::browser::{gpu_adapter_words, scope};
use crate::checked::Checked;
use crate::error::WorkerError;
use crate::protocol::{BackendChoice, BackendInfo};
use crate::store::{read_note, write_note};

/// A device and the reason for it.
#[derive(Clone)]
pub struct Chosen {
    /// The executor.
    pub device: Device,
    /// The GPU's name, or the instruction set.
    pub name: String,
    /// A sentence for the user.
    pub reason: String,
}

impl Chosen {
    /// As the page sees it.
    pub fn info(&self) -> BackendInfo {
        BackendInfo {
            kind: self.device.info().kind.into(),
            device: self.name.clone(),
            reason: self.reason.clone(),
        }
    }
}

/// Devices that are open. Opening one and checking it takes time, so each choice is made once.
#[derive(Default)]
pub struct Devices {
    auto: Option<Chosen>,
    webgpu: Option<Chosen>,
    webgl2: Option<Chosen>,
    cpu: Option<Chosen>,
}

impl Devices {
    /// The device for `choice`, made anew when the last one was lost.
    ///
    /// # Errors
    /// `NoGpuAdapter`, `GpuAdapterUnfit`, `DeviceLost`, only where a GPU was asked for by name.
    pub async fn choose(&mut self, choice: BackendChoice) -> Result<Chosen, WorkerError> {
        let known = match choice {
            BackendChoice::Auto => &self.auto,
            BackendChoice::Webgpu => &self.webgpu,
            BackendChoice::Webgl2 => &self.webgl2,
            BackendChoice::Cpu => &self.cpu,
        };
        if let Some(known) = known
            && known.device.lost().is_none()
        {
            return Ok(known.clone());
        }
        let chosen = match choice {
            BackendChoice::Auto => best().await,
            BackendChoice::Webgpu => asked_for(Api::WebGpu).await?,
            BackendChoice::Webgl2 => asked_for(Api::WebGl2).await?,
            BackendChoice::Cpu => cpu("The CPU was asked for."),
        };
        let slot = match choice {
            BackendChoice::Auto => &mut self.auto,
            BackendChoice::Webgpu => &mut self.webgpu,
            BackendChoice::Webgl2 => &mut self.webgl2,
            BackendChoice::Cpu => &mut self.cpu,
        };
        Ok(slot.insert(chosen).clone())
    }

    /// What `auto` chose, once it did.
    pub fn automatic(&self) -> Option<BackendInfo> {
        self.auto.as_ref().map(Chosen::info)
    }
}

/// A way to the GPU.
#[derive(Clone, Copy)]
enum Api {
    WebGpu,
    WebGl2,
}

impl Api {
    fn name(self) -> &'static str {
        match self {
            Api::WebGpu => "WebGPU",
            Api::WebGl2 => "WebGL2",
        }
    }

    /// The device, and its name in the browser's words, which say more than what the engine hears of them.
    async fn open(self) -> Result<(Device, String), DeviceError> {
        let (device, words) = match self {
            Api::WebGpu => (Device::webgpu().await?, gpu_adapter_words().await),
            Api::WebGl2 => (Device::webgl2()?, None),
        };
        let name = words.unwrap_or_else(|| device.info().name.clone());
        Ok((device, name))
    }
}

/// The automatic way down: WebGPU, WebGL2, the CPU. The sentence says what was passed over, and why.
async fn best() -> Chosen {
    let mut passed_over = String::new();
    for api in [Api::WebGpu, Api::WebGl2] {
        match suitable(api).await {
            Ok(chosen) => return Chosen { reason: passed_over + &chosen.reason, ..chosen },
            Err(why) => passed_over += &format!("{why} "),
        }
    }
    cpu(passed_over.trim_end())
}

/// A hardware GPU whose answers are right; else why not.
async fn suitable(api: Api) -> Result<Chosen, String> {
    let api_name = api.name();
    let (device, name) =
        api.open().await.map_err(|error| format!("{api_name} cannot be used here ({error})."))?;
    if device.info().software {
        return Err(format!("{api_name} has only a software GPU ({name}), which is slower than the CPU."));
    }
    match check(&device, &name).await {
        Ok(when) => {
            Ok(Chosen { reason: format!("{name} passed its self-check on {api_name}{when}."), device, name })
        }
        Err(error) => Err(format!("{name} failed its self-check on {api_name} ({error}).")),
    }
}

/// Whatever the GPU, as long as its answers are right.
async fn asked_for(api: Api) -> Result<Chosen, DeviceError> {
    let (device, name) = api.open().await?;
    let when = check(&device, &name).await?;
    let kind = if device.info().software { "software" } else { "hardware" };
    let api = api.name();
    let reason = format!("Using {api} as requested ({kind} GPU); it passed its self-check{when}.");
    Ok(Chosen { device, name, reason })
}

/// The self-check, unless this GPU has passed it before. Says when it did.
async fn check(device: &Device, name: &str) -> Result<&'static str, DeviceError> {
    const NOTE: &str = "pith-checked.json";
    let browser = scope().navigator().user_agent().unwrap_or_default();
    // A GPU without a name could be any.
    let has_name = !name.is_empty() && !browser.is_empty();
    let name = &format!("{} on {name}", device.info().kind);
    let checked = Checked::read(read_note(NOTE).await.as_deref(), env!("CARGO_PKG_VERSION"));
    if has_name && checked.has_passed(name, &browser) {
        return Ok(" at an earlier start");
    }
    device.self_check().await?;
    if has_name {
        // Where it cannot be kept, the next start asks again.
        let _ = write_note(NOTE, &checked.add(name, &browser)).await;
    }
    Ok("")
}

fn cpu(reason: &str) -> Chosen {
    let device = Device::cpu();
    Chosen { name: device.info().name.clone(), device, reason: reason.into() }
}
