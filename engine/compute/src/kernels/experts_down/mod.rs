//! Down of the chosen experts, weighted and summed.

mod cpu;

#[cfg(feature = "webgl2")]
use super::shared::weight_blocks;
use super::shared::{
    Cpu, EXPERT_ACCESS, Kernel, PRODUCT_PARAMS, ProductParams, SortedProduct, all_lanes, expert_params,
    lanes, limit_sorted, vector_offset, weight_parts,
};
use crate::formats::{FORMATS, Format};
use crate::plan::{Epilogue, Layout, VectorId, View, WeightId};
use crate::shaders::{
    Access, Batch, Bound, Count, Dispatches, EACH_TOKEN, Grid, Variant, WG, bindings, consts, part,
    wgsl_parts as parts,
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
    /// Of [`super::ExpertsSort`], where many tokens are multiplied expert by expert, and where the products go until they are
    /// summed, `[tokens * used, width]`.
    pub sorted: Option<[View; 2]>,
    /// Experts per token.
    pub used: usize,
    /// Factor of the sum.
    pub scale: f32,
    /// `[tokens, width]`.
    pub out: View,
}

/// The kernel for tokens that are sorted by expert.
const SORTED: &str = "experts_down_sorted";

fn variant(format: &'static Format, bias: bool, lanes: u32) -> Variant {
    let own = [parts::PRODUCT, parts::INPUTS, parts::ROUTES, part!("kernels/experts_down/experts_down.wgsl")];
    Variant {
        kernel: "experts_down",
        consts: consts([("LANES", format!("{lanes}u")), ("HAS_BIAS", bias.to_string())]),
        parts: [&weight_parts(format)[..], &own].concat(),
        bindings: bindings(&EXPERT_ACCESS),
    }
}

/// The sum of a token's products.
fn sum_variant() -> Variant {
    Variant {
        kernel: "experts_sum",
        consts: consts([]),
        parts: vec![parts::STATE, PRODUCT_PARAMS, part!("kernels/experts_down/experts_sum.wgsl")],
        bindings: bindings(&[Access::Read, Access::Write]),
    }
}

impl ExpertsDown {
    /// The products of each expert with all its tokens, then each token's sum.
    fn dispatch_sorted(&self, to: &mut Dispatches, sorted: View, sums: View) {
        let (out_offset, out_stride) = (sums.offset as u32, sums.stride as u32);
        for shard in 0..to.layout.weights[self.weight.0].shards.len() {
            let product = SortedProduct {
                kernel: SORTED,
                weight: self.weight,
                epilogue: Epilogue::Store,
                bias: self.bias.is_some(),
                input: self.input.buffer,
                out: sums.buffer,
                route: self.route.buffer,
                sorted,
            };
            let params = ProductParams { out_offset, out_stride, ..self.params(to.layout, shard) };
            product.dispatch(to, shard, params);
        }
        let params = ProductParams {
            in_offset: out_offset,
            in_stride: out_stride,
            out_offset: self.out.offset as u32,
            out_stride: self.out.stride as u32,
            cols: self.out.cols as u32,
            used: self.used as u32,
            ..Default::default()
        };
        let bound = [sums.buffer, self.out.buffer].map(Bound::Buffer);
        let grid = Grid { x: Count::Fixed(params.cols.div_ceil(WG)), y: EACH_TOKEN };
        to.push(sum_variant(), params.bytes(), &bound, grid);
    }

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
        let sorted = [false, true].map(|bias| SortedProduct::variants(SORTED, Epilogue::Store, bias));
        FORMATS.iter().copied().flat_map(of).chain(sorted.concat()).chain([sum_variant()]).collect()
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let weight = &to.layout.weights[self.weight.0];
        let unsorted = to.list.len();
        for shard in 0..weight.shards.len() {
            let params = self.params(to.layout, shard);
            let lanes = lanes(params.units);
            let weights = Bound::Shard(self.weight, shard);
            let buffers = [self.input.buffer, self.out.buffer, self.route.buffer].map(Bound::Buffer);
            let bound = [&[weights, weights, Bound::Vectors], &buffers[..]].concat();
            let grid = Grid { x: Count::Fixed(params.expert_rows.div_ceil(WG / lanes)), y: EACH_TOKEN };
            to.push(variant(weight.format, self.bias.is_some(), lanes), params.bytes(), &bound, grid);
        }
        if let (Batch::Many, Some([of, sums])) = (to.batch, self.sorted) {
            let sorted = to.list.len();
            self.dispatch_sorted(to, of, sums);
            limit_sorted(to, (unsorted, sorted), (weight.outputs / self.out.cols, self.used));
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
