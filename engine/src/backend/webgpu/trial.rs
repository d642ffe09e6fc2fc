//! Kernels that are timed on a model's own matrices, outside of any run.

use super::executor::{GpuExecutor, Recorded};
use super::gpu::Gpu;
use super::trace::weight_bytes;
use crate::backend::error::DeviceError;
use crate::plan::{State, Token};
use crate::shaders::Dispatch;

/// Dispatches that are compiled and bound, to be timed.
pub struct Trial {
    recorded: Vec<Recorded>,
    uniforms: wgpu::Buffer,
    /// Of the weights that they read.
    pub weight_bytes: u64,
    /// Absent on adapters without timestamps.
    stopwatch: Option<Stopwatch>,
}

/// Timestamps at the beginning and the end of a pass.
struct Stopwatch {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    back: wgpu::Buffer,
    period_ns: f64,
}

const STOPWATCH_BYTES: u64 = 16;

impl GpuExecutor {
    /// Compiles and binds these dispatches.
    ///
    /// # Errors
    /// As [`Self::ready`].
    pub async fn trial(&mut self, dispatches: &[Dispatch]) -> Result<Trial, DeviceError> {
        let (recorded, uniforms) = self.record(dispatches);
        let weight_bytes = dispatches.iter().map(|d| weight_bytes(&self.plan, d)).sum();
        let trial = Trial { recorded, uniforms, weight_bytes, stopwatch: Stopwatch::new(&self.gpu) };
        self.gpu.ready().await?;
        Ok(trial)
    }

    /// Milliseconds that the dispatches take `times` in a row: by the device's clock if it has one, else by `now_ms`. They write to
    /// buffers for the values of a run, so none may be under way.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub async fn time(
        &mut self,
        trial: &Trial,
        (state, tokens): (&State, &[Token]),
        times: usize,
        now_ms: &dyn Fn() -> f64,
    ) -> Result<f64, DeviceError> {
        self.gpu.check()?;
        self.write_run(state, tokens);
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let timestamp_writes = trial.stopwatch.as_ref().map(|watch| wgpu::ComputePassTimestampWrites {
            query_set: &watch.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        });
        let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes };
        let steps =
            (0..times).flat_map(|_| &trial.recorded).filter(|step| step.tokens.contains(&state.tokens));
        self.pass_as(&mut encoder, &descriptor, steps, state);
        if let Some(Stopwatch { queries, resolved, back, .. }) = &trial.stopwatch {
            encoder.resolve_query_set(queries, 0..2, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, back, 0, STOPWATCH_BYTES);
        }
        let begun_ms = now_ms();
        self.submit(encoder);
        self.settle().await?;
        let by_host_ms = now_ms() - begun_ms;
        let Some(watch) = &trial.stopwatch else { return Ok(by_host_ms) };
        let by_device_ms = self.gpu.map(&watch.back, STOPWATCH_BYTES, |bytes| watch.ms(bytes)).await?;
        // Some drivers count wrongly.
        let is_possible = by_device_ms > 0.0 && by_device_ms <= by_host_ms;
        Ok(if is_possible { by_device_ms } else { by_host_ms })
    }

    /// Milliseconds that `times` copies of so many bytes from one buffer to another take.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub async fn time_copies(
        &mut self,
        bytes: u64,
        times: usize,
        now_ms: &dyn Fn() -> f64,
    ) -> Result<f64, DeviceError> {
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let [from, to] = [(); 2].map(|()| self.gpu.buffer("copy", bytes, usage));
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for _ in 0..times {
            encoder.copy_buffer_to_buffer(&from, 0, &to, 0, bytes);
        }
        // The buffers are made by then.
        self.settle().await?;
        let begun_ms = now_ms();
        self.submit(encoder);
        let settled = self.settle().await;
        let ms = now_ms() - begun_ms;
        [from, to].iter().for_each(wgpu::Buffer::destroy);
        settled.map(|()| ms)
    }
}

impl Stopwatch {
    fn new(gpu: &Gpu) -> Option<Self> {
        use wgpu::BufferUsages as Usage;
        gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY).then(|| Stopwatch {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: gpu.buffer("times", STOPWATCH_BYTES, Usage::QUERY_RESOLVE | Usage::COPY_SRC),
            back: gpu.buffer("times back", STOPWATCH_BYTES, Usage::MAP_READ | Usage::COPY_DST),
            period_ns: gpu.queue.get_timestamp_period().into(),
        })
    }

    fn ms(&self, bytes: &[u8]) -> f64 {
        let [begun, ended] =
            [0, 1].map(|at| bytes.as_chunks::<8>().0.get(at).map_or(0, |tick| u64::from_le_bytes(*tick)));
        ended.saturating_sub(begun) as f64 * self.period_ns / 1e6
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        self.uniforms.destroy();
        if let Some(watch) = &self.stopwatch {
            watch.resolved.destroy();
            watch.back.destroy();
        }
    }
}
