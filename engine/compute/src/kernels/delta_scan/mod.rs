//! The recurrence of the gated delta net (Yang et al., 2024, arXiv 2412.06464).

mod cpu;

use super::shared::{Cpu, Kernel, rows_each, sharing, state_lens, vector_offset};
use crate::plan::{BufferId, Layout, VectorId, View, uniform};

use crate::shaders::{
    Access, Bound, Count, Dispatches, Grid, Part, Variant, bindings, part, wgsl_parts as parts,
};

#[cfg(feature = "webgl2")]
use crate::shaders::{Draws, EACH_TOKEN, Program, Scratch, Target, Texture};

/// Per value head and value i: S = S * exp(g); e = (v[i] - S . k) * beta; S = S + e * k; out[i] = S . q, with q and k of
/// unit length, q divided by sqrt(key_len), beta = sigmoid(beta), g = softplus(alpha + bias) * a.
#[derive(Debug, Clone)]
pub struct DeltaScan {
    /// `[tokens, 2 key_heads * key_len + inner]`: q, k, v after the convolution.
    pub qkv: View,
    /// `[tokens, value_heads]`.
    pub beta: View,
    /// `[tokens, value_heads]`.
    pub alpha: View,
    /// `[tokens, inner]`.
    pub out: View,
    /// Heads of q and k.
    pub key_heads: usize,
    /// Values per key head.
    pub key_len: usize,
    /// Heads of v.
    pub value_heads: usize,
    /// Values per value head.
    pub value_len: usize,
    /// Added under the root of the lengths of q and k.
    pub eps: f32,
    /// Bias of alpha and decay rates a: `[value_heads]` each.
    pub vectors: [VectorId; 2],
    /// `[slots, inner, key_len]`.
    pub state: BufferId,
}

uniform! {
    Params p at 0;
    /// Constants.
    struct DeltaParams {
        qkv_offset: u32,
        qkv_stride: u32,
        beta_offset: u32,
        beta_stride: u32,
        alpha_offset: u32,
        alpha_stride: u32,
        out_offset: u32,
        out_stride: u32,
        key_heads: u32,
        key_len: u32,
        value_heads: u32,
        value_len: u32,
        bias: u32,
        a: u32,
        eps: f32,
    }
}

fn variant(len: usize) -> Variant {
    const PARAMS: Part = Part { path: "kernels/delta_scan", text: DeltaParams::WGSL };
    const READ: Access = Access::Read;
    Variant {
        kernel: "delta_scan",
        consts: sharing(len),
        parts: vec![
            PARAMS,
            parts::STATE,
            parts::SEQUENCES,
            parts::HELD,
            part!("kernels/delta_scan/delta_scan.wgsl"),
        ],
        bindings: bindings(&[READ, READ, READ, READ, Access::Write, Access::Write]),
    }
}

impl DeltaScan {
    fn params(&self, layout: &Layout) -> DeltaParams {
        let [bias, a] = self.vectors.map(|v| vector_offset(layout, v));
        DeltaParams {
            qkv_offset: self.qkv.offset as u32,
            qkv_stride: self.qkv.stride as u32,
            beta_offset: self.beta.offset as u32,
            beta_stride: self.beta.stride as u32,
            alpha_offset: self.alpha.offset as u32,
            alpha_stride: self.alpha.stride as u32,
            out_offset: self.out.offset as u32,
            out_stride: self.out.stride as u32,
            key_heads: self.key_heads as u32,
            key_len: self.key_len as u32,
            value_heads: self.value_heads as u32,
            value_len: self.value_len as u32,
            bias,
            a,
            eps: self.eps,
        }
    }
}

impl Kernel for DeltaScan {
    fn variants() -> Vec<Variant> {
        state_lens().map(variant).collect()
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let params = self.params(to.layout);
        let buffers = [self.qkv.buffer, self.beta.buffer, self.alpha.buffer, self.out.buffer, self.state]
            .map(Bound::Buffer);
        let groups = (params.value_heads * params.value_len).div_ceil(rows_each(self.key_len));
        let grid = Grid { x: Count::Fixed(groups), y: Count::Sequences };
        to.push(variant(self.key_len), params.bytes(), &[&[Bound::Vectors], &buffers[..]].concat(), grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/delta_scan", text: DeltaParams::GLSL };
        const COMMON: Part = part!("kernels/delta_scan/common.glsl");
        let params = self.params(to.layout).bytes();
        let mut reads = [
            Texture::Vectors,
            Texture::Buffer(self.qkv.buffer),
            Texture::Buffer(self.alpha.buffer),
            Texture::Buffer(self.state),
            Texture::Buffer(self.beta.buffer),
        ];
        let parts = [PARAMS, COMMON, part!("kernels/delta_scan/out.glsl")];
        let samplers = ["vectors", "qkv", "alphas", "rows", "betas"];
        let out = Program::new("delta_out", &[], &parts, &samplers);
        let changes = Texture::Scratch(Scratch::Changes);
        let target = Target { others: [Some(changes), None, None], ..Target::rows(&self.out, EACH_TOKEN) };
        to.push(out, params.clone(), &reads, target);
        reads[4] = changes;
        let parts = [PARAMS, COMMON, part!("kernels/delta_scan/state.glsl")];
        let samplers = ["vectors", "qkv", "alphas", "rows", "changes"];
        let state = Program::new("delta_state", &[], &parts, &samplers);
        let words = self.value_heads * self.value_len * self.key_len;
        to.push(state, params, &reads, Target::slot(self.state, words));
        to.each_token(2);
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::delta_scan(cpu, self);
    }
}
