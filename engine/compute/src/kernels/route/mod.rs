//! The choice of experts.

mod cpu;

use super::shared::{Cpu, Kernel, vector_offset};
use crate::plan::{Layout, VectorId, View, uniform};

use crate::shaders::{
    Access, Bound, Dispatches, EACH_TOKEN, Grid, ONE, Part, Variant, bindings, consts, part,
    wgsl_parts as parts,
};

#[cfg(feature = "webgl2")]
use crate::shaders::{Const, Draws, Program, Target, Texture, uint};

/// The experts with the largest probability, and their weights.
#[derive(Debug, Clone)]
pub struct Route {
    /// `[tokens, experts]`.
    pub logits: View,
    /// `[tokens, used]` pairs: id (u32 bits), weight.
    pub out: View,
    /// How many there are.
    pub experts: usize,
    /// How many a token uses.
    pub used: usize,
    /// True where a probability is the sigmoid of a logit.
    pub sigmoid: bool,
    /// `[experts]`, added for the choice.
    pub bias: Option<VectorId>,
    /// True where the weights are scaled to a sum of 1.
    pub normalise: bool,
    /// Factor of the weights.
    pub scale: f32,
}

uniform! {
    Params p at 0;
    /// Constants.
    struct RouteParams {
        in_offset: u32,
        in_stride: u32,
        out_offset: u32,
        out_stride: u32,
        experts: u32,
        used: u32,
        normalise: u32,
        scale: f32,
        bias: u32,
    }
}

fn variant(sigmoid: bool, biased: bool) -> Variant {
    const PARAMS: Part = Part { path: "kernels/route", text: RouteParams::WGSL };
    Variant {
        kernel: "route",
        consts: consts([("SIGMOID", sigmoid.to_string()), ("BIASED", biased.to_string())]),
        parts: vec![PARAMS, parts::STATE, parts::STATISTICS, part!("kernels/route/route.wgsl")],
        bindings: bindings(&[Access::Read, Access::Read, Access::Write]),
    }
}

impl Route {
    fn params(&self, layout: &Layout) -> RouteParams {
        RouteParams {
            in_offset: self.logits.offset as u32,
            in_stride: self.logits.stride as u32,
            out_offset: self.out.offset as u32,
            out_stride: self.out.stride as u32,
            experts: self.experts as u32,
            used: self.used as u32,
            normalise: u32::from(self.normalise),
            scale: self.scale,
            bias: self.bias.map_or(0, |b| vector_offset(layout, b)),
        }
    }
}

impl Kernel for Route {
    fn variants() -> Vec<Variant> {
        let forms = [(false, false), (false, true), (true, false), (true, true)];
        forms.map(|(sigmoid, biased)| variant(sigmoid, biased)).to_vec()
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let bound = [Bound::Vectors, Bound::Buffer(self.logits.buffer), Bound::Buffer(self.out.buffer)];
        let grid = Grid { x: EACH_TOKEN, y: ONE };
        let variant = variant(self.sigmoid, self.bias.is_some());
        to.push(variant, self.params(to.layout).bytes(), &bound, grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/route", text: RouteParams::GLSL };
        let consts = [
            ("SIGMOID", Const::Bool(self.sigmoid)),
            ("BIASED", Const::Bool(self.bias.is_some())),
            ("USED", uint(self.used)),
        ];
        let parts = [PARAMS, part!("kernels/route/route.glsl")];
        let program = Program::new("route", &consts, &parts, &["vectors", "logits"]);
        let target = Target::rows(&View { cols: 2 * self.used, ..self.out }, EACH_TOKEN);
        let reads = [Texture::Vectors, Texture::Buffer(self.logits.buffer)];
        to.push(program, self.params(to.layout).bytes(), &reads, target);
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::route(cpu, self);
    }
}
