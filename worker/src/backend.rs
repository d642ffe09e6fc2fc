//! Which executor runs a model, and the sentence that says why.

use pith_engine::backend::{Device, DeviceError};
use pith_engine::runtime::Probe;
use pith_engine::shaders::Tuning;

use crate::browser::{gpu_adapter_words, now_ms};
use crate::checkup::{Checkup, ask, check, remember, right};
use crate::device_loss::explained;
use crate::error::{Code, WorkerError};
use crate::protocol::{BackendChoice, BackendInfo};
use crate::threads::{end_threads, pool, requested_threads};
use crate::ticket::Ticket;

/// A device and the reason for it.
#[derive(Clone)]
pub struct Chosen {
    /// The executor.
    pub device: Device,
    /// The GPU's name, or the instruction set.
    pub name: String,
    /// A sentence for the user.
    pub reason: String,
    /// Whether there are no shapes of kernels left to try on it.
    pub is_tuned: bool,
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

/// Two losses so close together are a reason to use something else, for so long.
const UNSTEADY_WITHIN_MS: f64 = 60_000.0;
const UNSTEADY_FOR_MS: f64 = 600_000.0;
/// After a loss the browser may have no adapter for a while.
const BACK_WITHIN_MS: f64 = 5_000.0;
const LOOK_EVERY_MS: u32 = 250;

/// Devices that are open. Opening one and checking it takes time, so each choice is made once.
#[derive(Default)]
pub struct Devices {
    open: Vec<Open>,
    /// The last two of each API.
    losses: Vec<(Api, f64)>,
}

/// A choice that was made.
struct Open {
    choice: BackendChoice,
    chosen: Chosen,
    /// What its device answered, by the names of the questions.
    checked: Vec<(String, Checkup)>,
    opened_ms: f64,
    /// When it is to be made again, because something was passed over that may be steady by then.
    until_ms: f64,
    /// Threads that were asked for.
    threads: u32,
}

impl Devices {
    /// The device for `choice`, whose self-check asked `probe`; made anew when the last one was lost, after two losses within a minute
    /// one of the next step.
    ///
    /// # Errors
    /// `NoGpuAdapter`, `GpuAdapterUnfit`, `DeviceLost`, only where a GPU was asked for by name; `Cancelled`.
    pub async fn choose(
        &mut self,
        choice: BackendChoice,
        probe: &Probe,
        ticket: &Ticket,
    ) -> Result<Chosen, WorkerError> {
        self.note_losses();
        let now = now_ms();
        let threads = requested_threads();
        let is_as_now =
            |open: &&mut Open| open.choice == choice && now < open.until_ms && open.threads == threads;
        if let Some(open) = self.open.iter_mut().find(is_as_now)
            && open.passes(probe).await
        {
            return Ok(open.chosen.clone());
        }
        let steps: &[Api] = match choice {
            BackendChoice::Auto | BackendChoice::Webgpu => &[Api::WebGpu, Api::WebGl2],
            BackendChoice::Webgl2 => &[Api::WebGl2],
            BackendChoice::Cpu => &[],
        };
        let (mut found, mut passed_over) = (None, String::new());
        let mut until_ms = f64::INFINITY;
        for &api in steps {
            if let Some(end_ms) = self.unsteady_until(api) {
                until_ms = until_ms.min(end_ms);
                passed_over += &format!("{} lost the GPU twice within a minute. ", api.name());
                continue;
            }
            let was_lost = self.losses.iter().any(|(lost, at)| *lost == api && now - at < UNSTEADY_WITHIN_MS);
            let is_asked_for = choice != BackendChoice::Auto && passed_over.is_empty();
            let opened = match api.open_within(if was_lost { BACK_WITHIN_MS } else { 0.0 }, ticket).await? {
                Err(_) if was_lost => Err("did not come back after the GPU was lost".to_owned()),
                Err(error) if is_asked_for => return Err(error.into()),
                Err(error) => Err(format!("cannot be used here ({error})")),
                Ok((device, name)) if choice == BackendChoice::Auto && device.info().software => {
                    Err(format!("has only a software GPU ({name}), which is slower than the CPU"))
                }
                Ok((_, name)) if api.is_known_to_be_wrong(&name) => {
                    let detail = format!("this is known of {name}");
                    if is_asked_for {
                        return Err(DeviceError::Wrong { detail }.into());
                    }
                    Err(format!("is known to compute wrongly on this GPU ({name})"))
                }
                Ok((device, name)) => match check(&device, &name, probe).await {
                    Ok((checkup, how)) => Ok(api.chosen(checkup, name, choice, is_asked_for, &how)),
                    Err(error) => {
                        let error = explained(error.into(), || device.lost().is_some()).await;
                        if error.code() == Code::DeviceLost {
                            self.note_loss(api);
                        }
                        if error.code() == Code::DeviceLost || is_asked_for {
                            return Err(error);
                        }
                        Err(format!("failed its self-check on {name} ({error})"))
                    }
                },
            };
            match opened {
                Ok(chosen) => {
                    found = Some(chosen);
                    break;
                }
                Err(why) => {
                    passed_over += &format!("{} {why}. ", api.name());
                    if was_lost {
                        until_ms = until_ms.min(now + UNSTEADY_FOR_MS);
                    }
                }
            }
        }
        let chosen = match (found, choice) {
            (Some(chosen), _) => Chosen { reason: passed_over + &chosen.reason, ..chosen },
            (None, BackendChoice::Cpu) => cpu("The CPU was asked for.").await,
            (None, _) => cpu(passed_over.trim_end()).await,
        };
        self.open.retain(|open| open.choice != choice);
        let checkup = Checkup { device: chosen.device.clone(), is_tuned: chosen.is_tuned };
        let checked = vec![(probe.name(), checkup)];
        let opened_ms = now_ms();
        self.open.push(Open { choice, chosen: chosen.clone(), checked, opened_ms, until_ms, threads });
        Ok(chosen)
    }

    /// What `auto` chose, once it did.
    pub fn automatic(&self) -> Option<BackendInfo> {
        let auto = self.open.iter().find(|open| open.choice == BackendChoice::Auto);
        auto.map(|open| open.chosen.info())
    }

    /// Keeps the fastest shapes for models like `probe`, if the device is right with them: the next load of one uses them.
    pub async fn keep_tuning(&mut self, chosen: &Chosen, probe: &Probe, tuning: Tuning) {
        let passed = if chosen.device.tuning() == Some(tuning) {
            Ok((chosen.device.clone(), String::new()))
        } else {
            ask(&chosen.device.with_tuning(tuning), probe).await
        };
        let Ok((device, replaced)) = passed else { return };
        let verdict = right(&device, replaced, true);
        remember(&chosen.device, &chosen.name, probe, verdict).await;
        let kind = |chosen: &Chosen| chosen.device.info().kind;
        // A GPU without a name could be one of another API.
        let is_of_it =
            |open: &&mut Open| kind(&open.chosen) == kind(chosen) && open.chosen.name == chosen.name;
        for open in self.open.iter_mut().filter(is_of_it) {
            for (_, checkup) in open.checked.iter_mut().filter(|(name, _)| *name == probe.name()) {
                *checkup = Checkup { device: device.clone(), is_tuned: true };
            }
        }
    }

    /// Ends the CPU's threads, when no model is in memory.
    pub fn rest(&mut self) {
        for open in self.open.iter_mut().filter(|open| !open.chosen.device.works_by_itself()) {
            (open.chosen.device, open.until_ms) = (Device::cpu(), 0.0);
        }
        end_threads();
    }

    /// Forgets devices that are gone.
    fn note_losses(&mut self) {
        let mut lost = Vec::new();
        self.open.retain(|open| {
            let is_lost = open.chosen.device.lost().is_some();
            if is_lost {
                lost.extend(Api::of(open.chosen.device.info().kind).map(|api| (api, open.opened_ms)));
            }
            !is_lost
        });
        for (api, opened_ms) in lost {
            // Two choices can have lost the same GPU at once.
            if !self.losses.iter().any(|(other, at)| *other == api && *at > opened_ms) {
                self.note_loss(api);
            }
        }
    }

    fn note_loss(&mut self, api: Api) {
        let last = self.losses.iter().rfind(|(other, _)| *other == api).copied();
        self.losses.retain(|(other, _)| *other != api);
        self.losses.extend(last);
        self.losses.push((api, now_ms()));
    }

    /// When an API that lost its device twice in a minute may be used again; `None` where it may now.
    fn unsteady_until(&self, api: Api) -> Option<f64> {
        let mut at = self.losses.iter().filter(|(other, _)| *other == api).map(|(_, at)| *at);
        let (first, last) = (at.next()?, at.next()?);
        let end_ms = last + UNSTEADY_FOR_MS;
        (last - first < UNSTEADY_WITHIN_MS && now_ms() < end_ms).then_some(end_ms)
    }
}

impl Open {
    /// Whether its device is right about a question, which it is asked where it has not been.
    async fn passes(&mut self, probe: &Probe) -> bool {
        if Api::of(self.chosen.device.info().kind).is_none() {
            return true;
        }
        let name = probe.name();
        let known = self.checked.iter().position(|(known, _)| *known == name);
        let at = match known {
            Some(at) => at,
            None => {
                let Ok((checkup, _)) = check(&self.chosen.device, &self.chosen.name, probe).await else {
                    return false;
                };
                self.checked.push((name, checkup));
                self.checked.len() - 1
            }
        };
        let (_, Checkup { device, is_tuned }) = &self.checked[at];
        (self.chosen.device, self.chosen.is_tuned) = (device.clone(), *is_tuned);
        true
    }
}

/// A device and its name.
type Opened = Result<(Device, String), DeviceError>;

/// A way to the GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

    /// By the kind of a device.
    fn of(kind: &str) -> Option<Api> {
        match kind {
            "webgpu" => Some(Api::WebGpu),
            "webgl2" => Some(Api::WebGl2),
            _ => None,
        }
    }

    /// Whether a GPU of this name is known to compute wrongly, so that it needs no self-check: the WebGPU drivers of PowerVR
    /// miscompile shaders.
    fn is_known_to_be_wrong(self, name: &str) -> bool {
        self == Api::WebGpu && name.split(' ').any(|word| word == "img-tec")
    }

    /// The device, and its name in the browser's words, which say more than what the engine hears of them.
    async fn open(self) -> Opened {
        let (device, words) = match self {
            Api::WebGpu => (Device::webgpu().await?, gpu_adapter_words().await),
            Api::WebGl2 => (Device::webgl2()?, None),
        };
        let name = words.unwrap_or_else(|| device.info().name.clone());
        Ok((device, name))
    }

    /// A device that has passed, `how` in words, and why it was taken.
    fn chosen(
        self,
        Checkup { device, is_tuned }: Checkup,
        name: String,
        choice: BackendChoice,
        is_asked_for: bool,
        how: &str,
    ) -> Chosen {
        let api = self.name();
        let kind = if device.info().software { "software" } else { "hardware" };
        let reason = match (choice, is_asked_for) {
            (BackendChoice::Auto, _) => format!("{name} passed its self-check on {api}{how}."),
            (_, true) => {
                format!("Using {api} as requested ({kind} GPU); it passed its self-check{how}.")
            }
            (_, false) => format!("Using {api} instead ({kind} GPU); it passed its self-check{how}."),
        };
        Chosen { device, name, reason, is_tuned }
    }

    /// The same, tried for so long.
    async fn open_within(self, ms: f64, ticket: &Ticket) -> Result<Opened, WorkerError> {
        let end_ms = now_ms() + ms;
        loop {
            let opened = self.open().await;
            if opened.is_ok() || now_ms() >= end_ms {
                return Ok(opened);
            }
            ticket.sleep(LOOK_EVERY_MS).await?;
        }
    }
}

async fn cpu(reason: &str) -> Chosen {
    let device = Device::cpu_with(pool().await);
    Chosen { name: device.info().name.clone(), device, reason: reason.into(), is_tuned: true }
}
