//! The tokens of each expert, so that a GPU multiplies an expert with all of them at once.

mod cpu;

use super::shared::{Cpu, Kernel};
use crate::plan::{View, uniform};
#[cfg(feature = "webgl2")]
use crate::shaders::Draws;
use crate::shaders::{
    Access, Bound, Count, Dispatches, Grid, ONE, Part, Variant, bindings, consts, part, wgsl_parts as parts,
};

/// out: where the numbers of each expert begin and the last end (`experts + 1` u32 bits), then all numbers,
/// `token * used + slot`, by expert and in order.
#[derive(Debug, Clone)]
pub struct ExpertsSort {
    /// Of [`super::Route`].
    pub route: View,
    /// How many there are.
    pub experts: usize,
    /// Experts per token.
    pub used: usize,
    /// One row of `experts + 1 + tokens * used`.
    pub out: View,
}

uniform! {
    Params p at 0;
    /// Constants.
    struct SortParams {
        route_offset: u32,
        route_stride: u32,
        out_offset: u32,
        experts: u32,
        used: u32,
    }
}

fn variant() -> Variant {
    const PARAMS: Part = Part { path: "kernels/experts_sort", text: SortParams::WGSL };
    Variant {
        kernel: "experts_sort",
        consts: consts([]),
        parts: vec![PARAMS, parts::STATE, part!("kernels/experts_sort/experts_sort.wgsl")],
        bindings: bindings(&[Access::Read, Access::Write]),
    }
}

impl Kernel for ExpertsSort {
    fn variants() -> Vec<Variant> {
        vec![variant()]
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let params = SortParams {
            route_offset: self.route.offset as u32,
            route_stride: self.route.stride as u32,
            out_offset: self.out.offset as u32,
            experts: self.experts as u32,
            used: self.used as u32,
        };
        let bound = [self.route.buffer, self.out.buffer].map(Bound::Buffer);
        to.push(variant(), params.bytes(), &bound, Grid { x: Count::Fixed(params.experts + 1), y: ONE });
    }

    /// Nothing: a fragment multiplies with the experts of its own token.
    #[cfg(feature = "webgl2")]
    fn draw(&self, _: &mut Draws) {}

    fn run(&self, cpu: &mut Cpu) {
        cpu::experts_sort(cpu, self);
    }
}
