//! A gate of whole rows.

mod cpu;

use super::shared::{Cpu, Kernel};
use crate::plan::{View, uniform};
use crate::shaders::{
    Access, Bound, Count, Dispatches, EACH_TOKEN, Grid, Part, Variant, WG, bindings, consts, part,
    wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Draws, Program, Target, Texture, glsl_parts};

/// x[t] *= sigmoid(by[t][0]).
#[derive(Debug, Clone)]
pub struct GateRows {
    /// `[tokens, width]`.
    pub x: View,
    /// `[tokens, 1]`.
    pub by: View,
}

uniform! {
    Params p at 0;
    /// Constants.
    struct GateParams {
        offset: u32,
        stride: u32,
        cols: u32,
        by_offset: u32,
        by_stride: u32,
    }
}

const WGSL: Part = part!("kernels/gate_rows/gate_rows.wgsl");

fn variant() -> Variant {
    Variant {
        kernel: "gate_rows",
        consts: consts([]),
        parts: vec![Part { path: "kernels/gate_rows", text: GateParams::WGSL }, parts::STATE, WGSL],
        bindings: bindings(&[Access::Read, Access::Write]),
    }
}

impl GateRows {
    fn params(&self) -> GateParams {
        GateParams {
            offset: self.x.offset as u32,
            stride: self.x.stride as u32,
            cols: self.x.cols as u32,
            by_offset: self.by.offset as u32,
            by_stride: self.by.stride as u32,
        }
    }
}

impl Kernel for GateRows {
    fn variants() -> Vec<Variant> {
        vec![variant()]
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let params = self.params();
        let bound = [Bound::Buffer(self.by.buffer), Bound::Buffer(self.x.buffer)];
        let grid = Grid { x: Count::Fixed(params.cols.div_ceil(WG)), y: EACH_TOKEN };
        to.push(variant(), params.bytes(), &bound, grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/gate_rows", text: GateParams::GLSL };
        const GLSL: Part = part!("kernels/gate_rows/gate_rows.glsl");
        let program =
            Program::new("gate_rows", &[], &[PARAMS, glsl_parts::beside(true), GLSL], &["old", "by"]);
        let reads = [Texture::Buffer(self.x.buffer), Texture::Buffer(self.by.buffer)];
        to.push(program, self.params().bytes(), &reads, Target::in_place(&self.x, EACH_TOKEN));
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::gate_rows(cpu, self);
    }

    fn examples(rows: &mut dyn FnMut(usize) -> View) -> Vec<Self> {
        [100, 7].map(|cols| GateRows { x: rows(cols), by: rows(1) }).to_vec()
    }
}
