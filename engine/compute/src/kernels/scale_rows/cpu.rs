//! A factor of the residual stream.

use super::ScaleRows;
use crate::kernels::shared::Cpu;

/// x[t] *= vector[0].
pub fn scale_rows(s: &mut Cpu, step: &ScaleRows) {
    let by = s.vectors[s.layout.vectors[step.by.0].offset];
    for t in 0..s.state.tokens as usize {
        let x = &mut s.buffers[step.x.buffer.0][step.x.offset + t * step.x.stride..][..step.x.cols];
        x.iter_mut().for_each(|v| *v *= by);
    }
}
