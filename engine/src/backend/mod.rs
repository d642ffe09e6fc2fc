//! Executors of a plan. They know steps and buffers, no model.

mod cpu;
mod error;
#[cfg(feature = "webgl2")]
mod webgl2;
#[cfg(feature = "webgpu")]
mod webgpu;

use std::rc::Rc;

pub use error::DeviceError;

use crate::plan::{BufferId, Limits, Memory, State, Token, View, WeightId};
use crate::planner::{Plan, PlanError};

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
    #[cfg(feature = "webgl2")]
    WebGl2(webgl2::Gl),
}

/// What the device says about itself.
#[derive(Debug, Clone)]
pub struct DeviceInfo {
    /// "webgpu", "webgl2" or "cpu".
    pub kind: &'static str,
    /// The adapter's own words, or the instruction set.
    pub adapter: String,
    /// True for a GPU that is emulated on the CPU.
    pub software: bool,
}

/// Whether an adapter's name is that of a GPU that is emulated on the CPU.
#[cfg(any(feature = "webgpu", feature = "webgl2"))]
fn is_emulated(adapter: &str) -> bool {
    let lower = adapter.to_lowercase();
    ["swiftshader", "llvmpipe", "lavapipe", "softpipe", "basic render"]
        .iter()
        .any(|name| lower.contains(name))
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

/// One dispatch on the GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelTime {
    /// The variant: kernel, parts and constants.
    pub kernel: String,
    /// From its beginning to its end.
    pub time_ns: f64,
    /// Of the weights that it reads; 0 for kernels that read none, or only the rows that are asked for.
    pub weight_bytes: u64,
}

/// Runs whose choices can be read later, while others run: the ring of read-back buffers.
pub(crate) const RING: usize = 3;

/// One submission.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    /// What the kernels see.
    pub state: State,
    /// The slice; empty where the device has made the records itself, see [`State::feed`].
    pub tokens: &'a [Token],
    /// The plan's own steps (0) or those with an adapter.
    pub which: usize,
    /// What runs before the head.
    pub body: Body,
    /// Whether the head runs.
    pub head: bool,
    /// What comes of its logits.
    pub choose: Choose,
    /// How many times, 1 to [`crate::plan::STEPS_MAX`]; more than once needs `feed`.
    pub steps: usize,
}

/// How the id behind an output row is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choose {
    /// Not at all.
    None,
    /// The largest logit.
    Greedy,
    /// By a draw, as [`crate::plan::Sampling`] says.
    Sampled,
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
        let adapter = if cfg!(target_feature = "relaxed-simd") {
            "WebAssembly relaxed SIMD"
        } else if cfg!(target_arch = "wasm32") {
            "WebAssembly SIMD"
        } else {
            std::env::consts::ARCH
        };
        Device {
            info: DeviceInfo { kind: "cpu", adapter: adapter.to_owned(), software: false },
            kind: Kind::Cpu,
        }
    }

    /// The WebGPU adapter that the browser (natively: Vulkan) offers.
    #[cfg(feature = "webgpu")]
    pub async fn webgpu() -> Result<Device, DeviceError> {
        Self::webgpu_as(None).await
    }

    /// The same, with these shapes of kernels, or those of the class that the adapter seems to be of.
    #[cfg(feature = "webgpu")]
    pub async fn webgpu_as(tuning: Option<crate::shaders::Tuning>) -> Result<Device, DeviceError> {
        let gpu = webgpu::Gpu::open(tuning, false).await?;
        Ok(Device { info: gpu.info(), kind: Kind::WebGpu(gpu) })
    }

    /// A WebGL2 context of the browser (natively: of EGL).
    #[cfg(feature = "webgl2")]
    pub fn webgl2() -> Result<Device, DeviceError> {
        let gl = webgl2::Gl::open()?;
        Ok(Device { info: gl.info(), kind: Kind::WebGl2(gl) })
    }

    /// As [`Self::webgpu`], for benches: takes the time of every dispatch where the adapter has timestamps, which slows
    /// the whole down. See [`Self::kernel_times`].
    #[cfg(feature = "webgpu")]
    pub async fn webgpu_traced() -> Result<Device, DeviceError> {
        let gpu = webgpu::Gpu::open(None, true).await?;
        Ok(Device { info: gpu.info(), kind: Kind::WebGpu(gpu) })
    }

    /// What was dispatched since the last call, in order; at most the first 2048. Nothing on a device that takes no
    /// times. Waits for all of it.
    pub async fn kernel_times(&self) -> Result<Vec<KernelTime>, DeviceError> {
        match &self.kind {
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => match gpu.trace() {
                Some(trace) => trace.collect(gpu).await,
                None => Ok(Vec::new()),
            },
            _ => Ok(Vec::new()),
        }
    }

    /// Kind and adapter.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// True where the device computes while the host does something else.
    pub fn works_by_itself(&self) -> bool {
        !matches!(self.kind, Kind::Cpu)
    }

    /// Tokens whose products are made side by side: a slice of fewer takes as long.
    pub(crate) fn tile_tokens(&self) -> usize {
        match &self.kind {
            Kind::Cpu => 16,
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
            _ => 128,
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

    /// What the plan must respect.
    pub fn limits(&self) -> Limits {
        match &self.kind {
            Kind::Cpu => Limits { binding_bytes: 1 << 30, buffer_bytes: 1 << 30, in_fours: false },
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.limits(),
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(gl) => gl.limits(),
        }
    }

    /// What has been done on this device so far.
    pub fn counters(&self) -> Counters {
        match &self.kind {
            Kind::Cpu => Counters::default(),
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.counters(),
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(gl) => gl.counters(),
        }
    }

    /// Why the device is gone, if it is.
    pub fn lost(&self) -> Option<String> {
        match &self.kind {
            Kind::Cpu => None,
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.lost(),
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(gl) => gl.lost(),
        }
    }

    /// What an executor of this plan will hold. Nothing is created.
    pub fn memory_of(&self, plan: &Plan) -> Memory {
        match &self.kind {
            Kind::Cpu => cpu::memory_of(plan),
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
        /// The wasm memory ends at 4 GiB, and not only a model lives there.
        const WASM_BYTES_MAX: u64 = (4 << 30) - (512 << 20);
        if bytes > DEVICE_BYTES_MAX {
            return Ok(false);
        }
        match &self.kind {
            Kind::Cpu => Ok(!cfg!(target_arch = "wasm32") || bytes <= WASM_BYTES_MAX),
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => gpu.can_hold(bytes).await,
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(gl) => webgl2::can_hold(gl, bytes),
        }
    }

    /// An executor with everything that the plan names. Pipelines may still be compiling: see [`Executor::settle`].
    pub(crate) fn executor(&self, plan: Rc<Plan>) -> Result<Executor, DeviceError> {
        Ok(match &self.kind {
            Kind::Cpu => Executor::Cpu(Box::new(cpu::CpuExecutor::new(plan))),
            #[cfg(feature = "webgpu")]
            Kind::WebGpu(gpu) => Executor::WebGpu(Box::new(webgpu::GpuExecutor::new(gpu.clone(), plan)?)),
            #[cfg(feature = "webgl2")]
            Kind::WebGl2(gl) => Executor::WebGl2(Box::new(webgl2::GlExecutor::new(gl.clone(), plan)?)),
        })
    }
}

/// Runs one plan. The variants do the same things in the same order.
pub(crate) enum Executor {
    Cpu(Box<cpu::CpuExecutor>),
    #[cfg(feature = "webgpu")]
    WebGpu(Box<webgpu::GpuExecutor>),
    #[cfg(feature = "webgl2")]
    WebGl2(Box<webgl2::GlExecutor>),
}

/// Calls the same method of whichever executor it is.
macro_rules! each {
    ($self:expr, $e:ident => $call:expr) => {
        match $self {
            Executor::Cpu($e) => $call,
            #[cfg(feature = "webgpu")]
            Executor::WebGpu($e) => $call,
            #[cfg(feature = "webgl2")]
            Executor::WebGl2($e) => $call,
        }
    };
}

impl Executor {
    pub fn upload_rows(&mut self, weight: WeightId, shard: usize, row: usize, planes: &[Vec<u8>]) {
        each!(self, e => e.upload_rows(weight, shard, row, planes))
    }

    /// What it holds, counted on what it has made.
    pub fn memory(&self) -> Memory {
        each!(self, e => e.memory())
    }

    /// A range of one plane, from row `row` of a shard on.
    pub fn upload_plane(&mut self, weight: WeightId, shard: usize, row: usize, plane: usize, bytes: &[u8]) {
        each!(self, e => e.upload_plane(weight, shard, row, plane, bytes))
    }

    pub fn upload_vector(&mut self, offset: usize, values: &[f32]) {
        each!(self, e => e.upload_vector(offset, values))
    }

    pub fn upload_values(&mut self, buffer: BufferId, offset: usize, values: &[f32]) {
        each!(self, e => e.upload_values(buffer, offset, values))
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
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.settle().await,
        }
    }

    /// Waits until every pipeline is compiled.
    pub async fn ready(&mut self) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(_) => Ok(()),
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.ready().await,
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.ready().await,
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
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.extend(plan),
        }
    }

    /// Runs a slice. What it chooses can be read from place `place` of the ring, if one is given.
    pub fn run(&mut self, run: &Run, place: Option<usize>) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(e) => {
                e.run(run, place);
                Ok(())
            }
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.run(run, place),
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.run(run, place),
        }
    }

    /// The `count` choices of the run that was given `place`: its rows, step by step.
    pub async fn chosen(
        &mut self,
        place: usize,
        count: usize,
        out: &mut Vec<u32>,
    ) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(e) => {
                e.chosen(place, out);
                debug_assert_eq!(out.len(), count);
                Ok(())
            }
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.chosen(place, count, out).await,
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.chosen(place, count, out).await,
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
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.read(view, rows, out).await,
        }
    }
}
