//! The recurrence of Mamba-2 (Dao and Gu, 2024, arXiv 2405.21060).

mod cpu;

use super::shared::{Cpu, Kernel, rows_each, sharing, state_lens, vector_offset};
use crate::plan::{BufferId, Layout, VectorId, View, uniform};

use crate::shaders::{
    Access, Bound, Count, Dispatches, Grid, Part, Variant, bindings, part, wgsl_parts as parts,
};

#[cfg(feature = "webgl2")]
use crate::shaders::{Draws, EACH_TOKEN, Program, Target, Texture};

/// Per head and value p: S = S * exp(dt * a) + dt * x[p] * B; out[p] = S . C + d * x[p], dt = softplus(dt + bias).
#[derive(Debug, Clone)]
pub struct Mamba2Scan {
    /// `[tokens, inner + 2 groups * state]`: x, B, C after the convolution.
    pub xbc: View,
    /// `[tokens, heads]`: dt.
    pub dt: View,
    /// `[tokens, inner]`.
    pub out: View,
    /// Heads.
    pub heads: usize,
    /// Values per head.
    pub head_len: usize,
    /// Groups that share B and C.
    pub groups: usize,
    /// Length of B and C.
    pub state_len: usize,
    /// Bias of dt, decay rates a, and d: `[heads]` each.
    pub vectors: [VectorId; 3],
    /// `[slots, inner, state_len]`.
    pub state: BufferId,
}

uniform! {
    Params p at 0;
    /// Constants.
    struct Mamba2Params {
        xbc_offset: u32,
        xbc_stride: u32,
        dt_offset: u32,
        dt_stride: u32,
        out_offset: u32,
        out_stride: u32,
        heads: u32,
        head_len: u32,
        groups: u32,
        state_len: u32,
        bias: u32,
        a: u32,
        d: u32,
    }
}

fn variant(len: usize) -> Variant {
    const PARAMS: Part = Part { path: "kernels/mamba2_scan", text: Mamba2Params::WGSL };
    Variant {
        kernel: "mamba2_scan",
        consts: sharing(len),
        parts: vec![
            PARAMS,
            parts::STATE,
            parts::SEQUENCES,
            parts::HELD,
            part!("kernels/mamba2_scan/mamba2_scan.wgsl"),
        ],
        bindings: bindings(&[Access::Read, Access::Read, Access::Read, Access::Write, Access::Write]),
    }
}

impl Mamba2Scan {
    fn params(&self, layout: &Layout) -> Mamba2Params {
        let [bias, a, d] = self.vectors.map(|v| vector_offset(layout, v));
        Mamba2Params {
            xbc_offset: self.xbc.offset as u32,
            xbc_stride: self.xbc.stride as u32,
            dt_offset: self.dt.offset as u32,
            dt_stride: self.dt.stride as u32,
            out_offset: self.out.offset as u32,
            out_stride: self.out.stride as u32,
            heads: self.heads as u32,
            head_len: self.head_len as u32,
            groups: self.groups as u32,
            state_len: self.state_len as u32,
            bias,
            a,
            d,
        }
    }
}

impl Kernel for Mamba2Scan {
    fn variants() -> Vec<Variant> {
        state_lens().map(variant).collect()
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let params = self.params(to.layout);
        let buffers = [self.xbc.buffer, self.dt.buffer, self.out.buffer, self.state].map(Bound::Buffer);
        let groups = (params.heads * params.head_len).div_ceil(rows_each(self.state_len));
        let grid = Grid { x: Count::Fixed(groups), y: Count::Sequences };
        to.push(variant(self.state_len), params.bytes(), &[&[Bound::Vectors], &buffers[..]].concat(), grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/mamba2_scan", text: Mamba2Params::GLSL };
        const COMMON: Part = part!("kernels/mamba2_scan/common.glsl");
        let params = self.params(to.layout).bytes();
        let samplers = ["vectors", "xbc", "dts", "rows"];
        let buffers = [self.xbc.buffer, self.dt.buffer, self.state].map(Texture::Buffer);
        let reads = [&[Texture::Vectors], &buffers[..]].concat();
        let parts = [PARAMS, COMMON, part!("kernels/mamba2_scan/out.glsl")];
        let out = Program::new("mamba2_out", &[], &parts, &samplers);
        to.push(out, params.clone(), &reads, Target::rows(&self.out, EACH_TOKEN));
        let parts = [PARAMS, COMMON, part!("kernels/mamba2_scan/state.glsl")];
        let state = Program::new("mamba2_state", &[], &parts, &samplers);
        let words = self.heads * self.head_len * self.state_len;
        to.push(state, params, &reads, Target::slot(self.state, words));
        to.each_token(2);
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::mamba2_scan(cpu, self);
    }
}
