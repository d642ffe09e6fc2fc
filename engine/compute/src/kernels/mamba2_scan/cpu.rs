//! The Mamba-2 recurrence.

use super::Mamba2Scan;
use crate::kernels::shared::Cpu;
use crate::kernels::shared::math::softplus;

/// S = S * exp(dt * a) + dt * x[p] * B; out[p] = S . C + d * x[p].
pub fn mamba2_scan(s: &mut Cpu, step: &Mamba2Scan) {
    let (n, inner) = (step.state_len, step.heads * step.head_len);
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut state = std::mem::take(&mut s.buffers[step.state.0]);
    let (xbc, dts) = (&s.buffers[step.xbc.buffer.0], &s.buffers[step.dt.buffer.0]);
    let [bias, a, d] = step.vectors.map(|v| &s.vectors[s.layout.vectors[v.0].offset..]);
    for i in 0..inner {
        let head = i / step.head_len;
        let group = head / (step.heads / step.groups);
        let row = &mut state[(s.state.slot as usize * inner + i) * n..][..n];
        if s.state.fresh == 1 {
            row.fill(0.0);
        }
        for t in 0..s.state.tokens as usize {
            let dt = softplus(dts[step.dt.offset + t * step.dt.stride + head] + bias[head]);
            let token = &xbc[step.xbc.offset + t * step.xbc.stride..];
            let (x, decay) = (token[i], (dt * a[head]).exp());
            let b = &token[inner + group * n..][..n];
            let c = &token[inner + (step.groups + group) * n..][..n];
            let mut y = d[head] * x;
            for ((cell, b), c) in row.iter_mut().zip(b).zip(c) {
                *cell = *cell * decay + dt * x * b;
                y += *cell * c;
            }
            out[step.out.offset + t * step.out.stride + i] = y;
        }
    }
    s.buffers[step.out.buffer.0] = out;
    s.buffers[step.state.0] = state;
}
