//! The recurrence of the gated delta net.

use super::DeltaScan;
use crate::kernels::shared::Cpu;
use crate::kernels::shared::math::softplus;

/// S = S * exp(g); e = (v[i] - S . k) * beta; S = S + e * k; out[i] = S . q.
pub fn delta_scan(s: &mut Cpu, step: &DeltaScan) {
    let (n, inner) = (step.key_len, step.value_heads * step.value_len);
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let mut state = std::mem::take(&mut s.buffers[step.state.0]);
    let [bias, a] = step.vectors.map(|v| &s.vectors[s.layout.vectors[v.0].offset..]);
    let at = |view: &crate::plan::View, t: usize| &s.buffers[view.buffer.0][view.offset + t * view.stride..];
    for i in 0..inner {
        let head = i / step.value_len;
        let key_head = head % step.key_heads;
        let row = &mut state[(s.state.slot as usize * inner + i) * n..][..n];
        if s.state.fresh == 1 {
            row.fill(0.0);
        }
        for t in 0..s.state.tokens as usize {
            let token = at(&step.qkv, t);
            let q = &token[key_head * n..][..n];
            let k = &token[(step.key_heads + key_head) * n..][..n];
            let v = token[2 * step.key_heads * n + i];
            let length = |x: &[f32]| (x.iter().map(|v| v * v).sum::<f32>() + step.eps).sqrt();
            let (q_scale, k_scale) = (1.0 / length(q) / (n as f32).sqrt(), 1.0 / length(k));
            let decay = (softplus(at(&step.alpha, t)[head] + bias[head]) * a[head]).exp();
            let beta = 1.0 / (1.0 + (-at(&step.beta, t)[head]).exp());
            let mut seen = 0.0;
            for (cell, k) in row.iter_mut().zip(k) {
                *cell *= decay;
                seen += *cell * k * k_scale;
            }
            let error = (v - seen) * beta;
            let mut y = 0.0;
            for ((cell, k), q) in row.iter_mut().zip(k).zip(q) {
                *cell += error * k * k_scale;
                y += *cell * q * q_scale;
            }
            out[step.out.offset + t * step.out.stride + i] = y;
        }
    }
    s.buffers[step.out.buffer.0] = out;
    s.buffers[step.state.0] = state;
}
