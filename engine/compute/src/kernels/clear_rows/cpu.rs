//! Zeros.

use super::ClearRows;
use crate::kernels::shared::Cpu;

/// x[t] = 0.
pub fn clear_rows(s: &mut Cpu, step: &ClearRows) {
    for t in 0..s.state.tokens as usize {
        s.buffers[step.x.buffer.0][step.x.offset + t * step.x.stride..][..step.x.cols].fill(0.0);
    }
}
