//! The device: opened once, watched for errors and loss, every object and transfer counted.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use futures_channel::oneshot;

use super::meter::Meter;
use super::pipelines::{Pipeline, Pipelines};
use super::trace::Trace;
use crate::backend::error::DeviceError;
use crate::backend::run::{
    Counters, DeviceInfo, KernelTime, UNNAMED_GPU, is_emulated, multiplies_bytes_fast,
};
use crate::plan::{Features, Limits, Threads};
use crate::shaders::{Class, Tuning, Variant};

/// Tells when the device is past what came before it.
pub type Fence = oneshot::Receiver<()>;

/// Size of the buffers that ask how much memory there is.
const PROBE_BYTES: u64 = 256 << 20;

/// An adapter's device and queue. Clones share them.
#[derive(Clone)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    info: DeviceInfo,
    tuning: Tuning,
    features: Features,
    meter: Meter,
    trouble: Arc<Mutex<Trouble>>,
    pipelines: Rc<RefCell<Pipelines>>,
    trace: Option<Rc<Trace>>,
    #[cfg(target_arch = "wasm32")]
    nudge: Rc<super::nudge::Nudge>,
}

/// What the browser has reported, from callbacks.
#[derive(Default)]
struct Trouble {
    lost: Option<String>,
    error: Option<DeviceError>,
}

impl Gpu {
    /// The fastest adapter that the browser offers, with all the limits that it has. Kernels get the shapes of
    /// `tuning`, or of the class that the adapter seems to be of. With `trace` the time of every dispatch is taken
    /// where the adapter can: see [`Self::trace`].
    ///
    /// # Errors
    /// `NoGpuAdapter` where there is no WebGPU, no adapter, or the adapter gives no device.
    pub async fn open(tuning: Option<Tuning>, trace: bool) -> Result<Gpu, DeviceError> {
        let no_gpu_adapter = |why: String| DeviceError::NoGpuAdapter { why };
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::BROWSER_WEBGPU;
        let instance = wgpu::Instance::new(descriptor);
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = instance.request_adapter(&options).await.map_err(|error| {
            let is_missing = matches!(error, wgpu::RequestAdapterError::NotFound { .. });
            // A browser gives no reason, and what wgpu lists instead is of systems.
            let is_silent = is_missing && cfg!(target_arch = "wasm32");
            no_gpu_adapter(if is_silent { "the browser has none".to_owned() } else { error.to_string() })
        })?;
        let offered = adapter.features();
        let timestamps = offered & wgpu::Features::TIMESTAMP_QUERY;
        let for_shaders = offered & (wgpu::Features::SHADER_F16 | wgpu::Features::SUBGROUP);
        let wanted = wgpu::DeviceDescriptor {
            label: Some("pith"),
            required_features: for_shaders | timestamps,
            required_limits: adapter.limits(),
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let (device, queue) =
            adapter.request_device(&wanted).await.map_err(|e| no_gpu_adapter(e.to_string()))?;
        let trouble = Arc::new(Mutex::new(Trouble::default()));
        let report = Arc::clone(&trouble);
        device.set_device_lost_callback(move |reason, message| {
            let reason = if message.is_empty() { format!("{reason:?}") } else { message };
            lock(&report).lost = Some(reason);
        });
        let report = Arc::clone(&trouble);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            lock(&report).error.get_or_insert(device_error(&error));
        }));
        let info = device_info(&adapter.get_info());
        let features = features(&device, &adapter.get_info(), instance.wgsl_language_features());
        let of_class = || {
            let tuning = Tuning::of(class_of(&adapter.get_info(), info.software));
            if multiplies_bytes_fast(&info.name) { tuning.packed() } else { tuning }
        };
        let tuning = tuning.unwrap_or_else(of_class);
        let trace = (trace && !timestamps.is_empty()).then(|| Rc::new(Trace::new(&device)));
        let (meter, pipelines) = Default::default();
        let gpu = Gpu {
            device,
            queue,
            info,
            tuning,
            features,
            meter,
            trouble,
            pipelines,
            trace,
            #[cfg(target_arch = "wasm32")]
            nudge: Rc::default(),
        };
        #[cfg(target_arch = "wasm32")]
        // A device that fails here says so when it is used.
        let _ = gpu.find_out_about_read_backs().await;
        Ok(gpu)
    }

    /// Whether read-backs come late here unless something is submitted behind them; tried out on an idle device.
    #[cfg(target_arch = "wasm32")]
    async fn find_out_about_read_backs(&self) -> Result<(), DeviceError> {
        /// Between what a read-back of nothing takes and the timer of 100 ms.
        const LATE_MS: u32 = 60;
        let buffer = self.buffer("read-back", 4, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        // If there is a timer, the first comes with it, and the second would come with the next.
        self.map(&buffer, 4, |_| ()).await?;
        let mut second = std::pin::pin!(self.map(&buffer, 4, |_| ()));
        if super::nudge::within(second.as_mut(), LATE_MS).await.is_none() {
            second.await?;
            self.nudge.is_needed.set(true);
            let mut third = std::pin::pin!(self.map(&buffer, 4, |_| ()));
            if super::nudge::within(third.as_mut(), LATE_MS).await.is_none() {
                // It was something else.
                self.nudge.is_needed.set(false);
                third.await?;
            }
        }
        buffer.destroy();
        Ok(())
    }

    /// Where times of dispatches are kept; `None` where nobody asked for them or the adapter has none.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_deref()
    }

    /// The times of what was dispatched since the last call, in order. Waits for it.
    ///
    /// # Errors
    /// As [`Self::map`].
    pub async fn times(&self) -> Result<Vec<KernelTime>, DeviceError> {
        let taken = self.trace().and_then(|trace| trace.take(&self.device, &self.queue));
        let Some(taken) = taken else { return Ok(Vec::new()) };
        self.map(taken.back, taken.bytes(), |bytes| taken.times(bytes)).await
    }

    pub fn info(&self) -> DeviceInfo {
        self.info.clone()
    }

    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// The same device; see [`crate::backend::Device::with_tuning`].
    pub fn with_tuning(&self, tuning: Tuning) -> Gpu {
        Gpu { tuning, ..self.clone() }
    }

    pub fn limits(&self) -> Limits {
        let limits = self.device.limits();
        let binding_bytes = limits.max_storage_buffer_binding_size;
        Limits {
            binding_bytes,
            buffer_bytes: limits.max_buffer_size,
            in_fours: false,
            sorts_experts: true,
            threads: Threads::ONE,
            features: self.features,
        }
    }

    pub fn counters(&self) -> Counters {
        self.meter.counters()
    }

    /// Adds to the counters.
    pub fn count(&self, change: impl FnOnce(&mut Counters)) {
        self.meter.count(change);
    }

    pub fn lost(&self) -> Option<String> {
        lock(&self.trouble).lost.clone()
    }

    /// Fails once with what has gone wrong since the last call.
    ///
    /// # Errors
    /// `Lost`, or the first error that the device has reported: `OutOfMemory`, `Internal`.
    pub fn check(&self) -> Result<(), DeviceError> {
        let mut trouble = lock(&self.trouble);
        if let Some(reason) = &trouble.lost {
            return Err(DeviceError::Lost { reason: reason.clone() });
        }
        trouble.error.take().map_or(Ok(()), Err)
    }

    /// A variant's pipeline, compiled once for all models of the device. See [`Self::ready`].
    pub fn pipeline(&self, variant: &Variant) -> Pipeline {
        self.pipelines.borrow_mut().request(&self.device, &self.meter, variant)
    }

    /// Waits until all requested pipelines are compiled.
    ///
    /// # Errors
    /// `Kernel` for the first shader that does not compile here; else as [`Self::check`].
    pub async fn ready(&self) -> Result<(), DeviceError> {
        let pending = self.pipelines.borrow_mut().take_pending();
        let mut result = Ok(());
        for mut pipeline in pending {
            if let Err(error) = pipeline.ready().await {
                self.pipelines.borrow_mut().forget(&pipeline);
                result = result.and(Err(error));
            }
        }
        result.and_then(|()| self.check())
    }

    /// A buffer, zero at first.
    pub fn buffer(&self, label: &str, bytes: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.count(|c| c.objects_created += 1);
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: buffer_bytes(bytes),
            usage,
            mapped_at_creation: false,
        })
    }

    /// Whether so much more can be allocated: in buffers, until one cannot be.
    ///
    /// # Errors
    /// As [`Self::map`]. Too little memory is not an error but `false`.
    pub async fn can_hold(&self, bytes: u64) -> Result<bool, DeviceError> {
        let most = self.limits().buffer_bytes.min(PROBE_BYTES);
        let (mut held, mut held_bytes) = (Vec::new(), 0);
        let mut error = None;
        while held_bytes < bytes && error.is_none() {
            let size = most.min(bytes - held_bytes);
            let scope = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
            held.push(self.buffer("probe", size, wgpu::BufferUsages::STORAGE));
            error = scope.pop().await;
            held_bytes += size;
        }
        held.iter().for_each(wgpu::Buffer::destroy);
        // A lost device reports no errors, so it is asked for something.
        let answer = self.buffer("probe", 4, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        let answered = self.map(&answer, 4, |_| ()).await;
        answer.destroy();
        answered.map(|()| error.is_none())
    }

    /// Writes through the queue. Lengths and offsets are multiples of 4.
    pub fn write(&self, buffer: &wgpu::Buffer, offset_bytes: u64, bytes: &[u8]) {
        self.count(|c| c.queue_writes += 1);
        self.queue.write_buffer(buffer, offset_bytes, bytes);
    }

    /// A fence behind all that was written and submitted so far.
    pub fn fence(&self) -> Fence {
        let (send, receive) = oneshot::channel();
        // What was written goes to the device with what is submitted.
        self.submit_nothing();
        self.queue.on_submitted_work_done(move || {
            let _ = send.send(());
        });
        receive
    }

    /// Waits until the device is past a fence.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub async fn pass(&self, fence: Fence) -> Result<(), DeviceError> {
        let passed = self.receive(fence).await?;
        self.check()?;
        passed.map_err(|_| DeviceError::Internal { detail: "a fence was dropped".to_owned() })
    }

    /// What the device sends. Never blocks in the browser; natively nobody else drives the device, so it is polled here.
    async fn receive<T>(
        &self,
        receive: oneshot::Receiver<T>,
    ) -> Result<Result<T, oneshot::Canceled>, DeviceError> {
        #[cfg(not(target_arch = "wasm32"))]
        if let Err(e) = self.device.poll(wgpu::PollType::wait_indefinitely()) {
            return Err(DeviceError::Internal { detail: e.to_string() });
        }
        #[cfg(target_arch = "wasm32")]
        let received = self.nudge.wait(receive, || self.submit_nothing()).await;
        #[cfg(not(target_arch = "wasm32"))]
        let received = receive.await;
        Ok(received)
    }

    fn submit_nothing(&self) {
        let encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.queue.submit([encoder.finish()]);
    }

    /// Maps the first `bytes` of a buffer for reading and hands them to `read`.
    ///
    /// # Errors
    /// As [`Self::check`]; also `Internal` where the buffer cannot be mapped.
    pub async fn map<T>(
        &self,
        buffer: &wgpu::Buffer,
        bytes: u64,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, DeviceError> {
        let (send, receive) = oneshot::channel();
        buffer.map_async(wgpu::MapMode::Read, 0..bytes, move |result| {
            let _ = send.send(result);
        });
        let mapped = self.receive(receive).await?;
        self.check()?;
        match mapped {
            Ok(Ok(())) => {}
            Ok(Err(e)) => return Err(DeviceError::Internal { detail: e.to_string() }),
            Err(_) => return Err(DeviceError::Internal { detail: "a read-back was dropped".to_owned() }),
        }
        let view =
            buffer.get_mapped_range(0..bytes).map_err(|e| DeviceError::Internal { detail: e.to_string() })?;
        let value = read(&view);
        drop(view);
        buffer.unmap();
        self.count(|c| c.readback_bytes += bytes);
        Ok(value)
    }
}

/// Size of a buffer for so many bytes.
pub fn buffer_bytes(bytes: u64) -> u64 {
    bytes.next_multiple_of(16).max(16)
}

fn lock(trouble: &Mutex<Trouble>) -> std::sync::MutexGuard<'_, Trouble> {
    trouble.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Our words for the browser's error.
pub fn device_error(error: &wgpu::Error) -> DeviceError {
    let detail = error.to_string();
    match error {
        wgpu::Error::OutOfMemory { .. } => DeviceError::OutOfMemory { detail },
        _ => DeviceError::Internal { detail },
    }
}

fn device_info(info: &wgpu::AdapterInfo) -> DeviceInfo {
    let words = [info.name.as_str(), info.driver.as_str(), info.driver_info.as_str()];
    let name = words.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>().join(", ");
    let emulated = is_emulated(&name);
    let name = if name.is_empty() { UNNAMED_GPU.to_owned() } else { name };
    DeviceInfo { kind: "webgpu", name, software: emulated || info.device_type == wgpu::DeviceType::Cpu }
}

/// What of the optional features the open device has.
fn features(
    device: &wgpu::Device,
    info: &wgpu::AdapterInfo,
    language: wgpu::WgslLanguageFeatures,
) -> Features {
    let has = |feature| device.features().contains(feature);
    Features {
        f16: has(wgpu::Features::SHADER_F16),
        packed_dot: language.contains(wgpu::WgslLanguageFeatures::Packed4x8IntegerDotProduct),
        subgroups: has(wgpu::Features::SUBGROUP).then_some([info.subgroup_min_size, info.subgroup_max_size]),
        timestamps: has(wgpu::Features::TIMESTAMP_QUERY),
    }
}

/// Browsers hide what an adapter is, but say how wide its subgroups can be: NVIDIA's are 32, AMD's 32 to 64, and of the
/// others (Intel 8 to 32, Apple 4 to 64, Arm 16, Qualcomm 64 to 128) few have memory of their own.
fn class_of(info: &wgpu::AdapterInfo, software: bool) -> Class {
    match (info.device_type, info.subgroup_min_size, info.subgroup_max_size) {
        _ if software => Class::Software,
        (wgpu::DeviceType::DiscreteGpu, ..) => Class::Discrete,
        (wgpu::DeviceType::IntegratedGpu, ..) => Class::Integrated,
        (_, 32, 32 | 64) | (_, 64, 64) => Class::Discrete,
        (_, 1.., _) => Class::Integrated,
        _ => Class::Unknown,
    }
}
