//! A factor of rows.

mod cpu;

use super::shared::{Cpu, Kernel, vector_offset};
use crate::plan::{VectorId, View, uniform};
use crate::shaders::{
    Access, Bound, Count, Dispatches, EACH_TOKEN, Grid, Part, Variant, WG, bindings, consts, part,
    wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Draws, Program, Target, Texture, glsl_parts};

/// x[t] *= vector[0].
#[derive(Debug, Clone)]
pub struct ScaleRows {
    /// `[tokens, width]`.
    pub x: View,
    /// One value.
    pub by: VectorId,
}

uniform! {
    Params p at 0;
    /// Constants.
    struct ScaleParams {
        offset: u32,
        stride: u32,
        cols: u32,
        by: u32,
    }
}

const WGSL: Part = part!("kernels/scale_rows/scale_rows.wgsl");

fn variant() -> Variant {
    Variant {
        kernel: "scale_rows",
        consts: consts([]),
        parts: vec![Part { path: "kernels/scale_rows", text: ScaleParams::WGSL }, parts::STATE, WGSL],
        bindings: bindings(&[Access::Read, Access::Write]),
    }
}

impl ScaleRows {
    fn params(&self, layout: &crate::plan::Layout) -> ScaleParams {
        let (offset, stride, cols) = (self.x.offset as u32, self.x.stride as u32, self.x.cols as u32);
        ScaleParams { offset, stride, cols, by: vector_offset(layout, self.by) }
    }
}

impl Kernel for ScaleRows {
    fn variants() -> Vec<Variant> {
        vec![variant()]
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let params = self.params(to.layout);
        let grid = Grid { x: Count::Fixed(params.cols.div_ceil(WG)), y: EACH_TOKEN };
        to.push(variant(), params.bytes(), &[Bound::Vectors, Bound::Buffer(self.x.buffer)], grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/scale_rows", text: ScaleParams::GLSL };
        const GLSL: Part = part!("kernels/scale_rows/scale_rows.glsl");
        let parts = [PARAMS, glsl_parts::beside(true), GLSL];
        let program = Program::new("scale_rows", &[], &parts, &["old", "vectors"]);
        let reads = [Texture::Buffer(self.x.buffer), Texture::Vectors];
        to.push(program, self.params(to.layout).bytes(), &reads, Target::in_place(&self.x, EACH_TOKEN));
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::scale_rows(cpu, self);
    }
}
