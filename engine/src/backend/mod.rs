//! Executors of a plan. They know steps and buffers, no model.

mod cpu;
mod error;
#[cfg(feature = "webgpu")]
mod webgpu;

use std::rc::Rc;

pub use error::DeviceError;

use crate::plan::{BufferId, Limits, Plan, View, WeightId};

/// Where a plan runs.
#[derive(Clone)]
pub struct Device {
    info: DeviceInfo,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Cpu,
    #[cfg(feature = "webgpu")]
    WebGpu(webgpu::Gpu),
}

/// What the device says about itself.
#[derive(Debug, Clone)]
pub struct DeviceInfo {
    /// "webgpu" or "cpu".
    pub kind: &'static str,
    /// The adapter's own words, or the instruction set.
    pub adapter: String,
    /// True for a GPU that is emulated on the CPU.
    pub software: bool,
}

/// What executors of a device have done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Buffers, pipelines, bind groups, textures made.
    pub objects_created: u64,
    /// Compute dispatches.
    pub dispatches: u64,
    /// Queue submissions.
    pub submits: u64,
    /// Writes to buffers through the queue.
    pub queue_writes: u64,
    /// Bytes copied back.
    pub readback_bytes: u64,
}

/// What changes from run to run. The kernels see exactly this.
#[derive(Debug, Clone, Copy, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct State {
    /// Tokens in the slice.
    pub tokens: u32,
    /// Position of the first one.
    pub position: u32,
    /// First row of the slice that has an output.
    pub out_first: u32,
    /// Number of output rows.
    pub out_rows: u32,
    /// Where the sequence's state lies in the buffers of recurrent mixers.
    pub slot: u32,
    /// Factor of what the run's adapter adds.
    pub factor: f32,
    /// Uniforms have a multiple of 16 bytes.
    pub pad: [u32; 2],
}

/// Which steps run before the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// Many tokens.
    Prefill,
    /// One token.
    Decode,
    /// Only the head, on the rows of the last slice.
    Nothing,
}

impl Device {
    /// The CPU; always there.
    pub fn cpu() -> Device {
        let adapter = if cfg!(target_arch = "wasm32") { "WebAssembly SIMD" } else { std::env::consts::ARCH };
        Device {
            info: DeviceInfo { kind: "cpu", adapter: adapter.to_owned(), software: false },
            kind: Kind::Cpu,
        }
    }

    /// The WebGPU adapter that the browser (natively: Vulkan) offers.
    #[cfg(feature = "webgpu")]
    pub async fn webgpu() -> Result<Device, DeviceError> {
        let gpu = webgpu::Gpu::open().await?;
        Ok(Device { info: gpu.info(), kind: Kind::WebGpu(gpu) })
    }

    /// Kind and adapter.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// What the plan must respect.
    pub fn limits(&self) -> Limits {
        match &self.kind {
            Kind::Cpu => Limits { binding_bytes: 1 << 30, buffer_bytes: 1 << 30 },
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.limits(),
        }
    }

    /// What has been done on this device so far.
    pub fn counters(&self) -> Counters {
        match &self.kind {
            Kind::Cpu => Counters::default(),
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.counters(),
        }
    }

    /// Why the device is gone, if it is.
    pub fn lost(&self) -> Option<String> {
        match &self.kind {
            Kind::Cpu => None,
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.lost(),
        }
    }

    /// An executor with everything that the plan names. Pipelines may still be compiling: see [`Executor::settle`].
    pub(crate) fn executor(&self, plan: Rc<Plan>) -> Result<Executor, DeviceError> {
        Ok(match &self.kind {
            Kind::Cpu => Executor::Cpu(Box::new(cpu::CpuExecutor::new(plan))),
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => Executor::WebGpu(Box::new(webgpu::GpuExecutor::new(gpu.clone(), plan)?)),
        })
    }
}

/// Runs one plan. The variants do the same things in the same order.
pub(crate) enum Executor {
    Cpu(Box<cpu::CpuExecutor>),
    #[cfg(feature = "webgpu")]
    WebGpu(Box<webgpu::GpuExecutor>),
}

/// Calls the same method of whichever executor it is.
macro_rules! each {
    ($self:expr, $e:ident => $call:expr) => {
        match $self {
            Executor::Cpu($e) => $call,
            #[cfg(feature = "webgpu")]
            Executor::WebGpu($e) => $call,
        }
    };
}

impl Executor {
    pub fn upload_rows(&mut self, weight: WeightId, shard: usize, row: usize, planes: &[Vec<u8>]) {
        each!(self, e => e.upload_rows(weight, shard, row, planes))
    }

    /// A range of one plane, from row `row` of a shard on.
    pub fn upload_plane(&mut self, weight: WeightId, shard: usize, row: usize, plane: usize, bytes: &[u8]) {
        each!(self, e => e.upload_plane(weight, shard, row, plane, bytes))
    }

    pub fn upload_vector(&mut self, offset: usize, values: &[f32]) {
        each!(self, e => e.upload_vector(offset, values))
    }

    pub fn upload_values(&mut self, buffer: BufferId, values: &[f32]) {
        each!(self, e => e.upload_values(buffer, values))
    }

    pub fn upload_pages(&mut self, pages: &[u32]) {
        each!(self, e => e.upload_pages(pages))
    }

    /// Waits until what was uploaded has arrived, so that no more than a few pieces are in flight.
    pub async fn settle(&mut self) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(_) => Ok(()),
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.settle().await,
        }
    }

    /// Waits until every pipeline is compiled.
    pub async fn ready(&mut self) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(_) => Ok(()),
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.ready().await,
        }
    }

    /// Goes on with a plan that has more weights, buffers and bodies than the one so far.
    pub fn extend(&mut self, plan: Rc<Plan>) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(e) => {
                e.extend(plan);
                Ok(())
            }
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.extend(plan),
        }
    }

    /// Runs a slice with the steps of `which`: the body on `ids`, then the head if it is wanted.
    pub fn run(
        &mut self,
        state: State,
        ids: &[u32],
        which: usize,
        body: Body,
        head: bool,
    ) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(e) => {
                e.run(state, ids, which, body, head);
                Ok(())
            }
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.run(state, ids, which, body, head),
        }
    }

    /// The greedy choice after the last run with a head.
    pub async fn top(&mut self) -> Result<u32, DeviceError> {
        match self {
            Executor::Cpu(e) => Ok(e.top()),
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.top().await,
        }
    }

    /// The first `rows` rows of a view, without padding.
    pub async fn read(&mut self, view: View, rows: usize, out: &mut Vec<f32>) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(e) => {
                e.read(view, rows, out);
                Ok(())
            }
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.read(view, rows, out).await,
        }
    }
}
