//! Pooling: the rows of a sequence made one.

mod cpu;

use super::shared::{Cpu, Kernel};
use crate::plan::{Pooling, View, uniform};
use crate::shaders::{
    Access, Bound, Count, Dispatches, Grid, Part, Variant, WG, bindings, consts, part, wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Draws, Program, Target, Texture, glsl_parts, int};

/// out[s] = the rows of the tokens of sequence `s` made one.
#[derive(Debug, Clone)]
pub struct PoolRows {
    /// `[tokens, width]`.
    pub input: View,
    /// `[sequences, width]`.
    pub out: View,
    /// How.
    pub how: Pooling,
}

uniform! {
    Params p at 0;
    /// Constants.
    struct PoolParams {
        in_offset: u32,
        in_stride: u32,
        out_offset: u32,
        out_stride: u32,
        cols: u32,
    }
}

const WGSL: Part = part!("kernels/pool_rows/pool_rows.wgsl");

fn number(how: Pooling) -> u32 {
    match how {
        Pooling::Mean => 0,
        Pooling::First => 1,
        Pooling::Last => 2,
    }
}

fn variant(how: Pooling) -> Variant {
    const PARAMS: Part = Part { path: "kernels/pool_rows", text: PoolParams::WGSL };
    Variant {
        kernel: "pool_rows",
        consts: consts([("HOW", format!("{}u", number(how)))]),
        parts: vec![PARAMS, parts::STATE, parts::TOKENS, WGSL],
        bindings: bindings(&[Access::Read, Access::Write, Access::Read]),
    }
}

impl PoolRows {
    fn params(&self) -> PoolParams {
        PoolParams {
            in_offset: self.input.offset as u32,
            in_stride: self.input.stride as u32,
            out_offset: self.out.offset as u32,
            out_stride: self.out.stride as u32,
            cols: self.out.cols as u32,
        }
    }
}

impl Kernel for PoolRows {
    fn variants() -> Vec<Variant> {
        [Pooling::Mean, Pooling::First, Pooling::Last].map(variant).to_vec()
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let params = self.params();
        let bound = [self.input.buffer, self.out.buffer, to.layout.tokens].map(Bound::Buffer);
        let grid = Grid { x: Count::Fixed(params.cols.div_ceil(WG)), y: Count::Outputs };
        to.push(variant(self.how), params.bytes(), &bound, grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/pool_rows", text: PoolParams::GLSL };
        let parts = [PARAMS, glsl_parts::TOKENS, part!("kernels/pool_rows/pool_rows.glsl")];
        let program =
            Program::new("pool_rows", &[("HOW", int(number(self.how)))], &parts, &["tokens", "rows"]);
        let reads = [to.layout.tokens, self.input.buffer].map(Texture::Buffer);
        to.push(program, self.params().bytes(), &reads, Target::rows(&self.out, Count::Outputs));
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::pool_rows(cpu, self);
    }
}
