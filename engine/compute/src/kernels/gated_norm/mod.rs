//! Norm and gate of the rows that a recurrence gives.

mod cpu;

use super::shared::{Cpu, Kernel, vector_offset};
use crate::plan::{Layout, VectorId, View, uniform};
use crate::shaders::{
    Access, Bound, Count, Dispatches, EACH_TOKEN, Grid, Part, Variant, WG, bindings, consts_of, part,
    wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Const, Draws, Program, Target, Texture, uint};

/// out[t, g] = norm(x[t, g] * silu(gate[t, g])), or norm(x[t, g]) * silu(gate[t, g]), group by group.
#[derive(Debug, Clone)]
pub struct GatedNorm {
    /// `[tokens, groups * len]`.
    pub input: View,
    /// `[tokens, groups * len]`.
    pub gate: View,
    /// `[tokens, groups * len]`.
    pub out: View,
    /// Groups.
    pub groups: usize,
    /// Values of a group.
    pub len: usize,
    /// True to gate first.
    pub gate_first: bool,
    /// True where the weight goes on from group to group.
    pub own_weights: bool,
    /// Factors; without them there is only the gate.
    pub weight: Option<VectorId>,
    /// Added to the mean square.
    pub eps: f32,
}

uniform! {
    Params p at 0;
    /// Constants.
    struct GatedNormParams {
        in_offset: u32,
        in_stride: u32,
        gate_offset: u32,
        gate_stride: u32,
        out_offset: u32,
        out_stride: u32,
        cols: u32,
        weight: u32,
        own_weights: u32,
        eps: f32,
    }
}

/// A group of more values is long.
const LONG: usize = 512;
/// Threads of a long group.
const WG_LONG: u32 = 256;

/// Threads of a group: those of a long one should not read many values one after another.
fn threads(len: usize) -> u32 {
    if len > LONG { WG_LONG } else { WG }
}

fn variant(gate_first: bool, normed: bool, threads: u32) -> Variant {
    const PARAMS: Part = Part { path: "kernels/gated_norm", text: GatedNormParams::WGSL };
    Variant {
        kernel: "gated_norm",
        consts: consts_of(threads, [("GATE_FIRST", gate_first.to_string()), ("NORMED", normed.to_string())]),
        parts: vec![PARAMS, parts::STATE, parts::STATISTICS, part!("kernels/gated_norm/gated_norm.wgsl")],
        bindings: bindings(&[Access::Read, Access::Read, Access::Read, Access::Write]),
    }
}

impl GatedNorm {
    fn params(&self, layout: &Layout) -> GatedNormParams {
        GatedNormParams {
            in_offset: self.input.offset as u32,
            in_stride: self.input.stride as u32,
            gate_offset: self.gate.offset as u32,
            gate_stride: self.gate.stride as u32,
            out_offset: self.out.offset as u32,
            out_stride: self.out.stride as u32,
            cols: self.len as u32,
            weight: self.weight.map_or(0, |w| vector_offset(layout, w)),
            own_weights: u32::from(self.own_weights),
            eps: self.eps,
        }
    }
}

impl Kernel for GatedNorm {
    fn variants() -> Vec<Variant> {
        let forms = [(false, true), (true, true), (true, false)];
        forms
            .into_iter()
            .flat_map(|(first, normed)| [WG, WG_LONG].map(|n| variant(first, normed, n)))
            .collect()
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let buffers = [self.input.buffer, self.gate.buffer, self.out.buffer].map(Bound::Buffer);
        let grid = Grid { x: Count::Fixed(self.groups as u32), y: EACH_TOKEN };
        let variant = variant(self.gate_first, self.weight.is_some(), threads(self.len));
        to.push(variant, self.params(to.layout).bytes(), &[&[Bound::Vectors], &buffers[..]].concat(), grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/gated_norm", text: GatedNormParams::GLSL };
        let consts = [
            ("GATE_FIRST", Const::Bool(self.gate_first)),
            ("NORMED", Const::Bool(self.weight.is_some())),
            ("GROUPS", uint(self.groups)),
        ];
        let parts = [PARAMS, part!("kernels/gated_norm/gated_norm.glsl")];
        let program = Program::new("gated_norm", &consts, &parts, &["vectors", "inputs", "gates"]);
        let reads = [Texture::Vectors, Texture::Buffer(self.input.buffer), Texture::Buffer(self.gate.buffer)];
        to.push(program, self.params(to.layout).bytes(), &reads, Target::rows(&self.out, EACH_TOKEN));
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::gated_norm(cpu, self);
    }

    fn examples(rows: &mut dyn FnMut(usize) -> View) -> Vec<Self> {
        let len = LONG + 4;
        let [input, gate, out] = [(); 3].map(|()| rows(len));
        let step = GatedNorm {
            input,
            gate,
            out,
            groups: 1,
            len,
            gate_first: true,
            own_weights: false,
            weight: None,
            eps: 1e-5,
        };
        vec![step]
    }
}
