//! Down of the chosen experts, weighted and summed.

mod cpu;

#[cfg(feature = "webgl2")]
use super::shared::weight_blocks;
use super::shared::{
    Cpu, EXPERT_ACCESS, Kernel, ProductParams, all_lanes, expert_params, lanes, vector_offset, weight_parts,
};
use crate::formats::{FORMATS, Format};
use crate::plan::{Layout, VectorId, View, WeightId};
use crate::shaders::{
    Bound, Count, Dispatches, EACH_TOKEN, Grid, Variant, WG, bindings, consts, part, wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Const, Draws, Program, Target, Texture, glsl_parts};

/// out[t] += scale * sum_s weight_s * (down_e * input[t * used + s] + bias_e), e the s-th expert of token t.
#[derive(Debug, Clone)]
pub struct ExpertsDown {
    /// All experts.
    pub weight: WeightId,
    /// Of all rows of the weight.
    pub bias: Option<VectorId>,
    /// `[tokens * used, ffn_size]`.
    pub input: View,
    /// Of [`super::Route`].
    pub route: View,
    /// Experts per token.
    pub used: usize,
    /// Factor of the sum.
    pub scale: f32,
    /// `[tokens, width]`.
    pub out: View,
}

fn variant(format: &'static Format, bias: bool, lanes: u32) -> Variant {
    let own = [parts::PRODUCT, parts::ROUTES, part!("kernels/experts_down/experts_down.wgsl")];
    Variant {
        kernel: "experts_down",
        consts: consts([("LANES", format!("{lanes}u")), ("HAS_BIAS", bias.to_string())]),
        parts: [&weight_parts(format)[..], &own].concat(),
        bindings: bindings(&EXPERT_ACCESS),
    }
}

impl ExpertsDown {
    fn params(&self, layout: &Layout, shard: usize) -> ProductParams {
        ProductParams {
            expert_rows: self.out.cols as u32,
            scale: self.scale,
            bias: self.bias.map_or(0, |b| vector_offset(layout, b)),
            ..expert_params(layout, (self.weight, shard), &self.input, &self.out, &self.route, self.used)
        }
    }
}

impl Kernel for ExpertsDown {
    fn variants() -> Vec<Variant> {
        let of = |format: &'static Format| {
            all_lanes(format).flat_map(move |lanes| [false, true].map(|bias| variant(format, bias, lanes)))
        };
        FORMATS.iter().copied().flat_map(of).collect()
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let weight = &to.layout.weights[self.weight.0];
        for shard in 0..weight.shards.len() {
            let params = self.params(to.layout, shard);
            let lanes = lanes(params.units);
            let weights = Bound::Shard(self.weight, shard);
            let buffers = [self.input.buffer, self.out.buffer, self.route.buffer].map(Bound::Buffer);
            let bound = [&[weights, weights, Bound::Vectors], &buffers[..]].concat();
            let grid = Grid { x: Count::Fixed(params.expert_rows.div_ceil(WG / lanes)), y: EACH_TOKEN };
            to.push(variant(weight.format, self.bias.is_some(), lanes), params.bytes(), &bound, grid);
        }
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        let own = [
            glsl_parts::OUTPUT_ROWS,
            glsl_parts::PRODUCT,
            glsl_parts::ROUTES,
            glsl_parts::beside(true),
            part!("kernels/experts_down/experts_down.glsl"),
        ];
        let parts = [&weight_blocks(to.layout, self.weight)[..], &own].concat();
        let consts = [("HAS_BIAS", Const::Bool(self.bias.is_some()))];
        let samplers = ["weights", "vectors", "inputs", "routes", "old"];
        let program = Program::new("experts_down", &consts, &parts, &samplers);
        let buffers = [self.input.buffer, self.route.buffer, self.out.buffer].map(Texture::Buffer);
        for shard in 0..to.layout.weights[self.weight.0].shards.len() {
            let reads = [&[Texture::Shard(self.weight, shard), Texture::Vectors], &buffers[..]].concat();
            let params = self.params(to.layout, shard).bytes();
            to.push(program.clone(), params, &reads, Target::in_place(&self.out, EACH_TOKEN));
        }
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::experts_down(cpu, self);
    }
}
