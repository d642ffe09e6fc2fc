//! Steps into passes.

use super::executor::{GpuExecutor, Recorded};
use super::needs::groups;
use crate::plan::State;

impl GpuExecutor {
    /// All steps, timed one by one where times are taken.
    pub(super) fn pass<'a>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        steps: impl Iterator<Item = &'a Recorded>,
        state: &State,
    ) {
        if self.gpu.trace().is_some() {
            return self.timed_passes(encoder, steps, state);
        }
        self.pass_as(encoder, &wgpu::ComputePassDescriptor::default(), steps, state);
    }

    /// All steps in one pass.
    pub(super) fn pass_as<'a>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        descriptor: &wgpu::ComputePassDescriptor,
        steps: impl Iterator<Item = &'a Recorded>,
        state: &State,
    ) {
        let mut pass = encoder.begin_compute_pass(descriptor);
        let mut current = None;
        for step in steps {
            if current != Some(&step.pipeline) {
                pass.set_pipeline(&step.pipeline);
                current = Some(&step.pipeline);
            }
            pass.set_bind_group(0, &step.bind_group, &[]);
            let (x, y, z) = groups(step.grid, state);
            pass.dispatch_workgroups(x, y, z);
        }
    }

    /// As [`Self::pass`], with a pass and two timestamps for every dispatch.
    fn timed_passes<'a>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        steps: impl Iterator<Item = &'a Recorded>,
        state: &State,
    ) {
        for step in steps {
            let writes = self.gpu.trace().zip(step.traced.as_ref()).and_then(|(trace, t)| trace.writes(t));
            let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes: writes };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            pass.set_pipeline(&step.pipeline);
            pass.set_bind_group(0, &step.bind_group, &[]);
            let (x, y, z) = groups(step.grid, state);
            pass.dispatch_workgroups(x, y, z);
        }
    }
}
