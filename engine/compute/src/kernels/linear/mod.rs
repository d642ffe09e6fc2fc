//! Products with weights.

mod cpu;
mod sum;
mod variants;

pub use sum::Sum;
use variants::{Extra, Vector, along, matmul_variant, vector_threads};

use super::shared::{
    Cpu, Kernel, ProductParams, encoded, is_gated, shard_params, tile_for, tile_rows, vector_offset,
    with_norm,
};
#[cfg(feature = "webgl2")]
use super::shared::{PRODUCT_BLOCK, act_const, normed, weight_blocks};
use crate::plan::{Epilogue, Layout, NormUse, Rows, VectorId, View, WeightId};
use crate::shaders::{
    Batch, Bound, Choice, Count, Dispatches, FEW, Grid, ONE, THREADS, TILES, Tuning, Variant, row_count,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{
    Const, DrawCall, Draws, MANY, Part, Program, Region, Scratch, Target, Texture, glsl_parts, int, part,
    uint,
};

/// out[t] = epilogue(scale * (weight * norm(input[t]) + bias + delta[t])).
#[derive(Debug, Clone)]
pub struct Linear {
    /// `[outputs, inputs]`; twice the outputs where `epilogue` is gated.
    pub weight: WeightId,
    /// `[tokens, inputs]`.
    pub input: View,
    /// Where present, the input is made here, for what comes later too.
    pub sum: Option<Sum>,
    /// Folded into the product, for one token at a time.
    pub norm: Option<NormUse>,
    /// `[outputs]`.
    pub bias: Option<VectorId>,
    /// Of [`Epilogue::Cap`].
    pub cap: f32,
    /// Factor of the product, bias included; 1 where `epilogue` has an activation.
    pub scale: f32,
    /// True where the product is an adapter's: its factor of the run comes on top.
    pub by_factor: bool,
    /// What happens to the product.
    pub epilogue: Epilogue,
    /// What an adapter adds to the product, `[tokens, rows of the weight]`.
    pub delta: Option<View>,
    /// `[tokens, outputs]`.
    pub out: View,
    /// Which rows.
    pub rows: Rows,
}

impl Linear {
    /// out[t] = weight * input[t], for every token.
    pub fn new(weight: WeightId, input: View, out: View) -> Self {
        Linear {
            weight,
            input,
            sum: None,
            norm: None,
            bias: None,
            cap: 0.0,
            scale: 1.0,
            by_factor: false,
            epilogue: Epilogue::Store,
            delta: None,
            out,
            rows: Rows::Tokens,
        }
    }
}

impl Linear {
    /// Constants for a shard, with rows read from `input`.
    fn params(&self, layout: &Layout, shard: usize, input: &View) -> ProductParams {
        ProductParams {
            in_offset: input.offset as u32 / 4,
            in_stride: input.stride as u32 / 4,
            out_offset: self.out.offset as u32,
            out_stride: self.out.stride as u32,
            bias: self.bias.map_or(0, |b| vector_offset(layout, b)),
            from_outputs: u32::from(self.rows == Rows::Outputs),
            scale: self.scale,
            cap: self.cap,
            by_factor: u32::from(self.by_factor),
            delta_offset: self.delta.map_or(0, |d| d.offset as u32),
            delta_stride: self.delta.map_or(0, |d| d.stride as u32),
            ..shard_params(layout, self.weight, shard)
        }
    }

    /// Adds the constants of a sum: what is read then is the stream so far.
    fn with_sum(&self, layout: &Layout, params: &mut ProductParams) {
        if let Some(sum) = &self.sum {
            params.in_offset = sum.x.offset as u32 / 4;
            params.in_stride = sum.x.stride as u32 / 4;
            params.sum_weight = vector_offset(layout, sum.norm.weight);
            params.sum_eps = sum.norm.eps;
            params.sum_scale = sum.scale;
            params.sum_by = sum.by.map_or(0, |by| vector_offset(layout, by) + 1);
            params.sum_offset = sum.y.offset as u32 / 4;
            params.sum_stride = sum.y.stride as u32 / 4;
            params.to_offset = self.input.offset as u32 / 4;
            params.to_stride = self.input.stride as u32 / 4;
        }
    }
}

impl Kernel for Linear {
    fn variants() -> Vec<Variant> {
        variants::all()
    }

    /// Tiles for many tokens; for few, how many threads share rows.
    fn choices(tuning: &Tuning) -> Vec<Choice> {
        let step = "linear";
        let tiles = TILES.map(|tile| Tuning { tile, ..*tuning }).to_vec();
        let threads = THREADS.map(|threads| Tuning { threads, ..*tuning }).to_vec();
        vec![
            Choice { step, batches: &[Batch::Many], shapes: tiles },
            Choice { step, batches: &[Batch::Few, Batch::One], shapes: threads },
        ]
    }

    fn weight(&self) -> Option<WeightId> {
        Some(self.weight)
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let weight = &to.layout.weights[self.weight.0];
        let (bias, norm) = (self.bias.is_some(), self.norm.map(|n| (n.kind, n.bias.is_some())));
        let gated = is_gated(self.epilogue);
        let batch = match to.batch {
            Batch::Many if self.norm.is_some() => Batch::One,
            Batch::Few if !along(norm) || self.sum.is_some() => Batch::One,
            other => other,
        };
        for (i, shard) in weight.shards.iter().enumerate() {
            let mut params = self.params(to.layout, i, &self.input);
            with_norm(to.layout, self.norm.as_ref(), &mut params);
            self.with_sum(to.layout, &mut params);
            let rows = shard.outputs as u32;
            let read = self.sum.map_or(self.input, |sum| sum.x);
            let mut input = Bound::Buffer(read.buffer);
            let (variant, grid) = if batch == Batch::Many {
                let tile = tile_for(weight.format, to);
                let y = Count::Tokens { times: 1, per: tile.tokens() };
                let variant = matmul_variant(weight.format, self.epilogue, bias, self.delta.is_some(), tile);
                if tile.packed {
                    (input, params) = encoded(to, self.input.buffer, params, 1);
                }
                (variant, Grid { x: Count::Fixed(rows.div_ceil(tile_rows(self.epilogue))), y })
            } else {
                let quads = rows.div_ceil(if gated { 2 } else { 4 });
                let one_lane = to.tuning.threads.is_none();
                let (threads, quads_each) = vector_threads(batch, one_lane);
                params.lanes = to.tuning.lanes(quads, params.units).min(threads);
                let groups = quads.div_ceil(threads / params.lanes * quads_each);
                let extra = if self.sum.is_some() { Extra::Sum } else { Extra::of(self.delta.is_some()) };
                let (format, epilogue) = (weight.format, self.epilogue);
                let product = Vector { format, epilogue, bias, norm, extra, one_lane };
                let y = match (batch, self.rows) {
                    (Batch::Few, Rows::Tokens) => Count::Tokens { times: 1, per: FEW },
                    (Batch::Few, Rows::Outputs) => ONE,
                    _ => row_count(self.rows),
                };
                (product.variant(batch), Grid { x: Count::Fixed(groups), y })
            };
            let weights = Bound::Shard(self.weight, i);
            let output = Bound::Buffer(self.out.buffer);
            let mut bound = vec![weights, weights, Bound::Vectors, input, output];
            bound.extend(self.delta.map(|d| Bound::Buffer(d.buffer)));
            if let Some(sum) = &self.sum {
                bound.extend([sum.y.buffer, self.input.buffer].map(Bound::Buffer));
            }
            to.push(variant, params.bytes(), &bound, grid);
        }
    }

    /// For few tokens each shard in one draw call. For many in two: products of four at a time, then what becomes of them.
    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const GLSL: Part = part!("kernels/linear/linear.glsl");
        let (input, read) = normed(to, self.input, self.norm.as_ref());
        let (number, act, changes) = match self.epilogue {
            Epilogue::Store => (0, None, false),
            Epilogue::Act(act) => (0, Some(act), false),
            Epilogue::Add => (1, None, true),
            Epilogue::Gated(act) => (2, Some(act), false),
            Epilogue::Cap => (3, None, false),
            Epilogue::Gate(act) => (4, Some(act), true),
        };
        // A texel that begins before the view belongs to others too.
        let twin = changes || !self.out.offset.is_multiple_of(4);
        let has_delta = self.delta.is_some();
        let consts = [
            ("HAS_BIAS", Const::Bool(self.bias.is_some())),
            ("HAS_DELTA", Const::Bool(has_delta)),
            ("EPILOGUE", int(number)),
            act_const(act),
        ];
        let own = [glsl_parts::delta(has_delta), glsl_parts::ACT, glsl_parts::beside(twin), GLSL];
        let weight_parts = weight_blocks(to.layout, self.weight);
        let (mut more, mut more_reads) = (Vec::new(), Vec::new());
        if let Some(delta) = self.delta {
            more.push("deltas");
            more_reads.push(Texture::Buffer(delta.buffer));
        }
        if twin {
            more.push("old");
            more_reads.push(Texture::Buffer(self.out.buffer));
        }
        let parts = [&weight_parts[..], &[glsl_parts::OUTPUT_ROWS, glsl_parts::PRODUCT], &own].concat();
        let samplers = [&["weights", "vectors", "inputs"], &more[..]].concat();
        let alone = Program::new("linear", &consts, &parts, &samplers);
        let target = Target::rows_or_twin(&self.out, row_count(self.rows), twin);
        let weight = &to.layout.weights[self.weight.0];
        for shard in 0..weight.shards.len() {
            let params = self.params(to.layout, shard, &input).bytes();
            let reads =
                [&[Texture::Shard(self.weight, shard), Texture::Vectors, read], &more_reads[..]].concat();
            to.push(alone.clone(), params, &reads, target);
        }
        if self.rows == Rows::Outputs {
            return;
        }
        let few = to.list.len() - weight.shards.len();
        to.list[few..].iter_mut().for_each(|draw| draw.tokens = 0..MANY);
        let parts = [&weight_parts[..], &[glsl_parts::PRODUCT, part!("kernels/linear/sums.glsl")]].concat();
        let gather = [PRODUCT_BLOCK, glsl_parts::OUTPUT_ROWS, glsl_parts::GATHERED];
        let gather = [&gather[..], &own].concat();
        let names = [&["vectors", "sums0", "sums1", "sums2", "sums3"], &more[..]].concat();
        let sums: [Texture; 4] = std::array::from_fn(|k| Texture::Scratch(Scratch::Sums(k as u8)));
        for shard in 0..weight.shards.len() {
            let mut params = self.params(to.layout, shard, &input);
            let rows = params.rows as usize * weight.rows_per_output;
            params.lanes = rows.next_multiple_of(4) as u32;
            let lanes = params.lanes as usize;
            let each_four = Count::Tokens { times: 1, per: 4 };
            let region = Region::Rows { offset: 0, stride: lanes, cols: lanes, rows: each_four };
            let others = [Some(sums[1]), Some(sums[2]), Some(sums[3])];
            let made = DrawCall {
                program: Program::new("sums", &[("ROWS", uint(rows))], &parts, &["weights", "inputs"]),
                params: params.bytes(),
                reads: vec![Texture::Shard(self.weight, shard), read],
                target: Target { texture: sums[0], others, region, twin: false },
                each_token: false,
                tokens: MANY..u32::MAX,
            };
            let finished = DrawCall {
                program: Program::new("gathered", &consts, &gather, &names),
                params: params.bytes(),
                reads: [&[Texture::Vectors], &sums[..], &more_reads[..]].concat(),
                target,
                ..made.clone()
            };
            to.list.extend([made, finished]);
        }
    }

    fn sent_bytes(&self, layout: &Layout, slice: usize) -> usize {
        let weight = &layout.weights[self.weight.0];
        let remote = weight.shards.iter().filter(|shard| shard.thread > 0);
        let rows = remote.map(|shard| shard.outputs * weight.rows_per_output).max();
        let count = match self.rows {
            Rows::Tokens => slice,
            Rows::Outputs => layout.options.logits_rows,
        };
        rows.map_or(0, |rows| size_of::<f32>() * count * (weight.cols + rows))
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::linear(cpu, self);
    }
}
