//! A gate of whole rows.

use super::GateRows;
use crate::kernels::shared::Cpu;

/// x[t] *= sigmoid(by[t][0]).
pub fn gate_rows(s: &mut Cpu, step: &GateRows) {
    for t in 0..s.state.tokens as usize {
        let by = s.buffers[step.by.buffer.0][step.by.offset + t * step.by.stride];
        let x = &mut s.buffers[step.x.buffer.0][step.x.offset + t * step.x.stride..][..step.x.cols];
        x.iter_mut().for_each(|v| *v /= 1.0 + (-by).exp());
    }
}
