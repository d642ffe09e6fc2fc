//! Gate and up of the chosen experts.

mod cpu;

use super::shared::{
    Cpu, EXPERT_ACCESS, Kernel, NORMS, ProductParams, SortedProduct, all_lanes, expert_params, lanes,
    limit_sorted, vector_offset, weight_parts, with_norm,
};
#[cfg(feature = "webgl2")]
use super::shared::{act_const, normed, weight_blocks};
use crate::formats::{FORMATS, Format};
use crate::plan::{Act, Epilogue, Layout, NormKind, NormUse, VectorId, View, WeightId};
use crate::shaders::{
    Batch, Bound, Count, Dispatches, Grid, Variant, WG, bindings, consts, part, wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Const, Draws, Program, Target, Texture, glsl_parts};

/// out[t * used + s] = act(gate_e * norm(input[t]) + bias) * (up_e * norm(input[t]) + bias), e the s-th expert of token t.
#[derive(Debug, Clone)]
pub struct ExpertsUp {
    /// Gate and up of all experts, joined.
    pub weight: WeightId,
    /// `[tokens, width]`.
    pub input: View,
    /// Folded into the product, for one token at a time.
    pub norm: Option<NormUse>,
    /// Of all rows of the weight.
    pub bias: Option<VectorId>,
    /// Of [`super::Route`].
    pub route: View,
    /// Of [`super::ExpertsSort`], where many tokens are multiplied expert by expert.
    pub sorted: Option<View>,
    /// Experts per token.
    pub used: usize,
    /// Outputs of one expert.
    pub ffn_size: usize,
    /// Activation.
    pub act: Act,
    /// `[tokens * used, ffn_size]`.
    pub out: View,
}

/// The kernel for tokens that are sorted by expert.
const SORTED: &str = "experts_up_sorted";

fn variant(
    format: &'static Format,
    act: Act,
    norm: Option<(NormKind, bool)>,
    bias: bool,
    lanes: u32,
) -> Variant {
    let own = [
        parts::PRODUCT,
        parts::INPUTS,
        parts::STATISTICS,
        parts::prologue(norm),
        parts::act(Some(act)),
        parts::ROUTES,
        part!("kernels/experts_up/experts_up.wgsl"),
    ];
    Variant {
        kernel: "experts_up",
        consts: consts([
            ("LANES", format!("{lanes}u")),
            ("HAS_BIAS", bias.to_string()),
            ("HAS_NORM_BIAS", norm.is_some_and(|n| n.1).to_string()),
        ]),
        parts: [&weight_parts(format)[..], &own].concat(),
        bindings: bindings(&EXPERT_ACCESS),
    }
}

impl ExpertsUp {
    /// Constants for a shard, with rows read from `input`.
    fn params(&self, layout: &Layout, shard: usize, input: &View) -> ProductParams {
        ProductParams {
            expert_rows: self.ffn_size as u32,
            bias: self.bias.map_or(0, |b| vector_offset(layout, b)),
            ..expert_params(layout, (self.weight, shard), input, &self.out, &self.route, self.used)
        }
    }
}

impl Kernel for ExpertsUp {
    fn variants() -> Vec<Variant> {
        let acts = [(Act::Silu, false), (Act::Gelu, false), (Act::BoundedSilu, true)];
        let sorted = |(act, bias)| SortedProduct::variants(SORTED, Epilogue::Gated(act), bias);
        let mut all: Vec<Variant> = acts.into_iter().flat_map(sorted).collect();
        for format in FORMATS {
            for lanes in all_lanes(format) {
                for norm in [None].into_iter().chain(NORMS.map(Some)) {
                    all.extend(acts.map(|(act, bias)| variant(format, act, norm, bias, lanes)));
                }
            }
        }
        all
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let weight = &to.layout.weights[self.weight.0];
        let norm = self.norm.map(|n| (n.kind, n.bias.is_some()));
        let unsorted = to.list.len();
        for shard in 0..weight.shards.len() {
            let mut params = self.params(to.layout, shard, &self.input);
            with_norm(to.layout, self.norm.as_ref(), &mut params);
            let lanes = lanes(params.units);
            let weights = Bound::Shard(self.weight, shard);
            let buffers = [self.input.buffer, self.out.buffer, self.route.buffer].map(Bound::Buffer);
            let bound = [&[weights, weights, Bound::Vectors], &buffers[..]].concat();
            let grid = Grid {
                x: Count::Fixed(params.expert_rows.div_ceil(WG / lanes)),
                y: Count::Tokens { times: params.used, per: 1 },
            };
            let variant = variant(weight.format, self.act, norm, self.bias.is_some(), lanes);
            to.push(variant, params.bytes(), &bound, grid);
        }
        if let (Batch::Many, Some(of)) = (to.batch, self.sorted) {
            let sorted = to.list.len();
            for shard in 0..weight.shards.len() {
                let product = SortedProduct {
                    kernel: SORTED,
                    weight: self.weight,
                    epilogue: Epilogue::Gated(self.act),
                    bias: self.bias.is_some(),
                    input: self.input.buffer,
                    out: self.out.buffer,
                    route: self.route.buffer,
                    sorted: of,
                };
                let params = self.params(to.layout, shard, &self.input);
                product.dispatch(to, shard, ProductParams { parts: params.used, ..params });
            }
            limit_sorted(to, (unsorted, sorted), (weight.outputs / self.ffn_size, self.used));
        }
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        let (input, read) = normed(to, self.input, self.norm.as_ref());
        let own = [
            glsl_parts::OUTPUT_ROWS,
            glsl_parts::PRODUCT,
            glsl_parts::ROUTES,
            glsl_parts::ACT,
            part!("kernels/experts_up/experts_up.glsl"),
        ];
        let parts = [&weight_blocks(to.layout, self.weight)[..], &own].concat();
        let consts = [("HAS_BIAS", Const::Bool(self.bias.is_some())), act_const(Some(self.act))];
        let program =
            Program::new("experts_up", &consts, &parts, &["weights", "vectors", "inputs", "routes"]);
        let target = Target::rows(&self.out, Count::Tokens { times: self.used as u32, per: 1 });
        for shard in 0..to.layout.weights[self.weight.0].shards.len() {
            let weights = Texture::Shard(self.weight, shard);
            let reads = [weights, Texture::Vectors, read, Texture::Buffer(self.route.buffer)];
            to.push(program.clone(), self.params(to.layout, shard, &input).bytes(), &reads, target);
        }
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::experts_up(cpu, self);
    }
}
