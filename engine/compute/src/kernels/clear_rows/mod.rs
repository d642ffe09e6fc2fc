//! Zeros.

mod cpu;

use super::shared::{Cpu, Kernel};
use crate::plan::{View, uniform};
use crate::shaders::{
    Access, Bound, Count, Dispatches, EACH_TOKEN, Grid, Part, Variant, WG, bindings, consts, part,
    wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Draws, Program, Target};

/// x[t] = 0.
#[derive(Debug, Clone)]
pub struct ClearRows {
    /// `[tokens, width]`.
    pub x: View,
}

uniform! {
    Params p at 0;
    /// Constants.
    struct ClearParams {
        offset: u32,
        stride: u32,
        cols: u32,
    }
}

const WGSL: Part = part!("kernels/clear_rows/clear_rows.wgsl");

fn variant() -> Variant {
    Variant {
        kernel: "clear_rows",
        consts: consts([]),
        parts: vec![Part { path: "kernels/clear_rows", text: ClearParams::WGSL }, parts::STATE, WGSL],
        bindings: bindings(&[Access::Write]),
    }
}

impl ClearRows {
    fn params(&self) -> ClearParams {
        ClearParams { offset: self.x.offset as u32, stride: self.x.stride as u32, cols: self.x.cols as u32 }
    }
}

impl Kernel for ClearRows {
    fn variants() -> Vec<Variant> {
        vec![variant()]
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let params = self.params();
        let grid = Grid { x: Count::Fixed(params.cols.div_ceil(WG)), y: EACH_TOKEN };
        to.push(variant(), params.bytes(), &[Bound::Buffer(self.x.buffer)], grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/clear_rows", text: ClearParams::GLSL };
        let parts = [PARAMS, part!("kernels/clear_rows/clear_rows.glsl")];
        let program = Program::new("clear_rows", &[], &parts, &[]);
        to.push(program, self.params().bytes(), &[], Target::rows(&self.x, EACH_TOKEN));
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::clear_rows(cpu, self);
    }
}
