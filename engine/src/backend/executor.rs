//! Whichever executor runs a plan.

use std::ops::Range;
use std::rc::Rc;

use super::cpu;
use super::error::DeviceError;
use super::run::Run;
#[cfg(feature = "webgl2")]
use super::webgl2;
#[cfg(feature = "webgpu")]
use super::webgpu;
use crate::kernels::Step;
use crate::plan::{BufferId, Memory, View, WeightId};
use crate::planner::Plan;
use crate::shaders::Batch;

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
    /// The planes of rows, from row `row` of a shard on.
    pub fn upload_rows(&mut self, weight: WeightId, shard: usize, row: usize, planes: &[Vec<u8>]) {
        for (i, plane) in planes.iter().enumerate() {
            self.upload_plane(weight, shard, row, i, plane);
        }
    }

    /// What it holds, counted on what it has made.
    pub fn memory(&self) -> Memory {
        each!(self, e => e.memory())
    }

    /// A range of one plane, from row `row` of a shard on.
    pub fn upload_plane(&mut self, weight: WeightId, shard: usize, row: usize, plane: usize, bytes: &[u8]) {
        let place = each!(self, e => e.plan.layout.weights[weight.0].shards[shard].planes[plane]);
        let offset_bytes = place.offset_bytes + row * place.stride_bytes;
        each!(self, e => e.upload_bytes(weight, shard, offset_bytes, bytes))
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

    /// Counts `bytes` more as uploaded, and waits while too many are in flight.
    ///
    /// # Errors
    /// As [`Self::settle`].
    #[cfg_attr(
        not(any(feature = "webgpu", feature = "webgl2")),
        expect(unused_variables, reason = "nothing is in flight on the CPU")
    )]
    pub async fn throttle(&mut self, bytes: u64) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(e) => e.settle(),
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.throttle(bytes).await,
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.throttle(bytes).await,
        }
    }

    /// Waits until what was uploaded has arrived.
    ///
    /// # Errors
    /// `Lost`, or `OutOfMemory` where an upload or an earlier allocation failed.
    pub async fn settle(&mut self) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(e) => e.settle(),
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.settle().await,
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.settle().await,
        }
    }

    /// Waits until every pipeline is compiled.
    ///
    /// # Errors
    /// `Kernel` for a shader that does not compile here, `OutOfMemory` where an allocation failed, `Lost`.
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
    ///
    /// # Errors
    /// `OutOfMemory` where a buffer cannot be allocated, `Kernel` for a shader that does not compile here, `Lost`.
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
    ///
    /// # Errors
    /// `Lost`; on the CPU only where it has other threads. On WebGPU also what went wrong since the last call, such as `OutOfMemory`.
    pub fn run(&mut self, run: &Run, place: Option<usize>) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(e) => e.run(run, place),
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.run(run, place),
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.run(run, place),
        }
    }

    /// The one of WebGPU, whose kernels have several shapes.
    #[cfg(feature = "webgpu")]
    pub fn webgpu(&mut self) -> Option<&mut webgpu::GpuExecutor> {
        match self {
            Executor::WebGpu(e) => Some(e),
            _ => None,
        }
    }

    /// True where one token at a time has a list of steps of its own; on WebGL2 it is a slice of one.
    pub fn decodes(&self) -> bool {
        match self {
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(_) => false,
            _ => true,
        }
    }

    /// The names of a step's shaders.
    #[cfg_attr(not(feature = "webgpu"), allow(unused_variables))]
    pub fn shaders(&self, step: &Step, batch: Batch) -> Vec<String> {
        match self {
            Executor::Cpu(_) => Vec::new(),
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.shaders(step, batch),
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.shaders(step),
        }
    }

    /// The `count` choices of the run that was given `place`: its rows, step by step.
    ///
    /// # Errors
    /// `Lost`, or `Internal` where the choices cannot be read back.
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
    ///
    /// # Errors
    /// `Lost`, or `Internal` where the rows cannot be read back.
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

    /// The words of these ranges of buffers, one after the other, behind what `out` has.
    ///
    /// # Errors
    /// `Lost`, or `Internal` where they cannot be read back.
    pub async fn read_words(
        &mut self,
        ranges: &[(BufferId, Range<usize>)],
        out: &mut Vec<u8>,
    ) -> Result<(), DeviceError> {
        match self {
            Executor::Cpu(e) => {
                e.read_words(ranges, out);
                Ok(())
            }
            #[cfg(feature = "webgpu")]
            Executor::WebGpu(e) => e.read_words(ranges, out).await,
            #[cfg(feature = "webgl2")]
            Executor::WebGl2(e) => e.read_words(ranges, out).await,
        }
    }
}
