//! The devices that a plan can run on.

use std::rc::Rc;

use super::cpu::{self, ThreadPool};
use super::error::DeviceError;
use super::executor::Executor;
use super::run::{Counters, DeviceInfo, KernelTime};
#[cfg(feature = "webgl2")]
use super::webgl2;
#[cfg(feature = "webgpu")]
use super::webgpu;
use crate::plan::{Features, Limits, Memory};
use crate::planner::{Plan, PlanError};
use crate::shaders::Tuning;

/// Where a plan runs.
#[derive(Clone)]
pub struct Device {
    info: DeviceInfo,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Cpu(ThreadPool),
    #[cfg(feature = "webgpu")]
    WebGpu(webgpu::Gpu),
    #[cfg(feature = "webgl2")]
    WebGl2(webgl2::Gl),
}

impl Device {
    /// The CPU; always there.
    pub fn cpu() -> Device {
        Self::cpu_with(ThreadPool::default())
    }

    /// The CPU with workers that share the rows of matrices.
    pub fn cpu_with(pool: ThreadPool) -> Device {
        let name = if cfg!(target_feature = "relaxed-simd") {
            "WebAssembly relaxed SIMD"
        } else if cfg!(target_arch = "wasm32") {
            "WebAssembly SIMD"
        } else {
            std::env::consts::ARCH
        };
        let name = match pool.threads().count {
            1 => name.to_owned(),
            threads => format!("{name}, {threads} threads"),
        };
        Device { info: DeviceInfo { kind: "cpu", name, software: false }, kind: Kind::Cpu(pool) }
    }

    /// The WebGPU adapter that the browser (natively: Vulkan) offers.
    ///
    /// # Errors
    /// `NoGpuAdapter` where there is no WebGPU, no adapter, or the adapter gives no device.
    #[cfg(feature = "webgpu")]
    pub async fn webgpu() -> Result<Device, DeviceError> {
        Self::webgpu_as(None).await
    }

    /// The same, with these shapes of kernels, or those of the class that the adapter seems to be of.
    ///
    /// # Errors
    /// As [`Self::webgpu`].
    #[cfg(feature = "webgpu")]
    pub async fn webgpu_as(tuning: Option<Tuning>) -> Result<Device, DeviceError> {
        let gpu = webgpu::Gpu::open(tuning, false).await?;
        Ok(Device { info: gpu.info(), kind: Kind::WebGpu(gpu) })
    }

    /// A WebGL2 context of the browser (natively: of EGL).
    ///
    /// # Errors
    /// `NoGpuAdapter` where there is no WebGL2, or its textures are too small.
    #[cfg(feature = "webgl2")]
    pub fn webgl2() -> Result<Device, DeviceError> {
        let gl = webgl2::Gl::open()?;
        Ok(Device { info: gl.info(), kind: Kind::WebGl2(gl) })
    }

    /// As [`Self::webgpu`], for benches: takes the time of every dispatch where the adapter has timestamps, which slows
    /// the whole down. See [`Self::kernel_times`].
    ///
    /// # Errors
    /// As [`Self::webgpu`].
    #[cfg(feature = "webgpu")]
    pub async fn webgpu_traced() -> Result<Device, DeviceError> {
        let gpu = webgpu::Gpu::open(None, true).await?;
        Ok(Device { info: gpu.info(), kind: Kind::WebGpu(gpu) })
    }

    /// What was dispatched since the last call, in order; at most the first 2048. Nothing on a device that takes no
    /// times. Waits for all of it.
    ///
    /// # Errors
    /// `Lost` where the device is gone, `Internal` where the times cannot be read back.
    pub async fn kernel_times(&self) -> Result<Vec<KernelTime>, DeviceError> {
        match &self.kind {
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.times().await,
            _ => Ok(Vec::new()),
        }
    }

    /// Kind and adapter.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// True where the device computes while the host does something else.
    pub fn works_by_itself(&self) -> bool {
        !matches!(self.kind, Kind::Cpu(_))
    }

    /// Tokens whose products are made side by side: a slice of fewer takes as long.
    pub(crate) fn tile_tokens(&self) -> usize {
        match &self.kind {
            Kind::Cpu(_) => 16,
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.tuning().tile.tokens() as usize,
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(_) => 8,
        }
    }

    /// Most tokens of a slice, where nobody says otherwise. On WebGL2 the scores of all of them are kept.
    pub(crate) fn slice_tokens(&self) -> usize {
        match &self.kind {
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(_) => 32,
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.tuning().slice_tokens(),
            Kind::Cpu(_) => 128,
        }
    }

    /// True where it can draw tokens by itself, and not only choose the likeliest.
    pub(crate) fn draws(&self) -> bool {
        match &self.kind {
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(_) => false,
            _ => true,
        }
    }

    /// The shapes of its kernels, where they have several.
    pub fn tuning(&self) -> Option<Tuning> {
        match &self.kind {
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => Some(*gpu.tuning()),
            _ => None,
        }
    }

    /// The same device with other shapes of kernels, for models that are loaded from now on. Where kernels have one shape it
    /// stays as it is.
    #[must_use]
    #[cfg_attr(not(feature = "webgpu"), expect(unused_variables))]
    pub fn with_tuning(&self, tuning: Tuning) -> Device {
        let kind = match &self.kind {
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => Kind::WebGpu(gpu.with_tuning(tuning)),
            other => other.clone(),
        };
        Device { kind, info: self.info.clone() }
    }

    /// What the plan must respect.
    pub fn limits(&self) -> Limits {
        match &self.kind {
            Kind::Cpu(pool) => Limits {
                binding_bytes: 1 << 30,
                buffer_bytes: 1 << 30,
                in_fours: false,
                sorts_experts: false,
                threads: pool.threads(),
                features: Features::default(),
            },
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.limits(),
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(gl) => gl.limits(),
        }
    }

    /// What has been done on this device so far.
    pub fn counters(&self) -> Counters {
        match &self.kind {
            Kind::Cpu(_) => Counters::default(),
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.counters(),
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(gl) => gl.counters(),
        }
    }

    /// Why the device is gone, if it is.
    pub fn lost(&self) -> Option<String> {
        match &self.kind {
            Kind::Cpu(pool) => pool.lost().map(|lost| lost.to_string()),
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.lost(),
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(gl) => gl.lost(),
        }
    }

    /// What an executor of this plan will hold. Nothing is created.
    pub fn memory_of(&self, plan: &Plan) -> Memory {
        match &self.kind {
            Kind::Cpu(_) => cpu::memory_of(plan),
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => webgpu::memory_of(plan, gpu.tuning()),
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(_) => webgl2::memory_of(plan),
        }
    }

    /// Says no where the device cannot hold in one piece what it needs for the plan besides the plan's own buffers.
    ///
    /// # Errors
    /// `TooLarge`.
    #[cfg_attr(not(feature = "webgl2"), expect(unused_variables))]
    pub fn check(&self, plan: &Plan) -> Result<(), PlanError> {
        match &self.kind {
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(_) => webgl2::check(plan),
            _ => Ok(()),
        }
    }

    /// Whether the device has room for so much more: on a GPU it is allocated and released at once.
    ///
    /// # Errors
    /// `Lost` where the device did not survive the question, and whatever else went wrong but a lack of memory.
    pub async fn can_hold(&self, bytes: u64) -> Result<bool, DeviceError> {
        /// No device has as much.
        const DEVICE_BYTES_MAX: u64 = 1 << 40;
        /// The wasm memory of a worker ends at 4 GiB, and not only a model lives there.
        const WASM_BYTES_MAX: u64 = (4 << 30) - (512 << 20);
        if bytes > DEVICE_BYTES_MAX {
            return Ok(false);
        }
        match &self.kind {
            Kind::Cpu(pool) => {
                Ok(!cfg!(target_arch = "wasm32") || bytes <= WASM_BYTES_MAX * pool.threads().count as u64)
            }
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.can_hold(bytes).await,
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(gl) => webgl2::can_hold(gl, bytes),
        }
    }

    /// An executor with everything that the plan names. Pipelines may still be compiling: see [`Executor::settle`].
    pub(crate) fn executor(&self, plan: Rc<Plan>) -> Result<Executor, DeviceError> {
        Ok(match &self.kind {
            Kind::Cpu(pool) => Executor::Cpu(Box::new(cpu::CpuExecutor::new(plan, pool.clone()))),
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => Executor::WebGpu(Box::new(webgpu::GpuExecutor::new(gpu.clone(), plan)?)),
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(gl) => Executor::WebGl2(Box::new(webgl2::GlExecutor::new(gl.clone(), plan)?)),
        })
    }
}
