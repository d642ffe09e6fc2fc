//! Dispatches of products with weights, of embeddings and of norms.

use super::link::{Access, Variant};
use super::params::ProductParams;
use super::parts::{self, Part};
use super::step::{Embed, Linear, NormRows};
use super::table::{Bound, Count, Dispatch, EACH_TOKEN, Grid, ONE, Phase, WG, bindings, consts, consts_of};
use super::tuning::{TILES, Tile, Tuning};
use crate::formats::{Format, UNIT};
use crate::plan::{Act, Finish, Index, Layout, NormKind, NormUse, Rows, Weight, WeightId};

/// Kinds of norms, and whether they have biases.
pub const NORMS: [(NormKind, bool); 4] =
    [(NormKind::Rms, false), (NormKind::Rms, true), (NormKind::Layer, true), (NormKind::Layer, false)];

/// Every variant that any model of these formats can ask for. A finish that adds reads no norm, since what it multiplies
/// is not the residual stream; logits are capped row by row.
pub fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for format in crate::formats::FORMATS {
        for index in [Index::Id, Index::Position, Index::Zero] {
            for add in [false, true] {
                all.push(embed_variant(format, index, add));
            }
        }
        for finish in finishes() {
            for (bias, delta) in [(false, false), (true, false), (false, true), (true, true)] {
                if finish != Finish::Cap {
                    all.extend(TILES.map(|tile| matmul_variant(format, finish, bias, delta, tile)));
                }
                let norms = if finish == Finish::Add { &NORMS[..0] } else { &NORMS };
                for norm in [None].into_iter().chain(norms.iter().copied().map(Some)) {
                    for one_lane in [false, true] {
                        let product =
                            Vector { format, finish, bias, norm, extra: Extra::of(delta), one_lane };
                        all.push(product.variant(Phase::One));
                        if along(norm) {
                            all.push(product.variant(Phase::Few));
                        }
                    }
                }
                if !delta && !matches!(finish, Finish::Add | Finish::Cap) {
                    for norm in [None, Some(NORMS[0])] {
                        for one_lane in [false, true] {
                            let product = Vector { format, finish, bias, norm, extra: Extra::Sum, one_lane };
                            all.push(product.variant(Phase::One));
                        }
                    }
                }
            }
        }
    }
    for norm in NORMS {
        all.extend([false, true].map(|add| norm_variant(norm, add)));
    }
    all
}

fn finishes() -> Vec<Finish> {
    let acts = [Act::Silu, Act::Gelu];
    let mut all = vec![Finish::Store, Finish::Add, Finish::Cap];
    all.extend(acts.map(Finish::Act));
    all.push(Finish::Act(Act::ReluSquared));
    all.extend(acts.map(Finish::Gated));
    all.extend(acts.map(Finish::Gate));
    all
}

/// What every kernel that reads a weight begins with: constants, bindings, helpers, and the decode of its format.
pub fn weight_parts(format: &Format) -> [Part; 6] {
    let decode = Part { path: format.wgsl_path, text: format.wgsl };
    [parts::COMMON, parts::PRODUCT_PARAMS, parts::BYTES, parts::WEIGHTS, parts::UNPACK, decode]
}

/// The shard's part of a product's constants.
pub fn shard_params(layout: &Layout, id: WeightId, shard: usize) -> ProductParams {
    let weight = &layout.weights[id.0];
    let s = &weight.shards[shard];
    let mut params = ProductParams {
        first: s.first as u32,
        rows: s.outputs as u32,
        outputs: weight.outputs as u32,
        units: units(weight),
        cols: weight.cols as u32,
        codebook: (s.codebook_offset_bytes / 4) as u32,
        ..Default::default()
    };
    for (i, plane) in s.planes.iter().enumerate() {
        params.plane_base[i] = (plane.offset_bytes / 4) as u32;
        params.plane_stride[i] = (plane.stride_bytes / 4) as u32;
    }
    params
}

fn units(weight: &Weight) -> u32 {
    weight.cols.div_ceil(UNIT) as u32
}

fn embed_variant(format: &'static Format, index: Index, add: bool) -> Variant {
    let index = match index {
        Index::Id => "0u",
        Index::Position => "1u",
        Index::Zero => "2u",
    };
    Variant {
        kernel: "embed_rows",
        consts: consts([("INDEX", index.to_owned()), ("ADD", add.to_string())]),
        parts: [&weight_parts(format)[..], &[parts::TOKENS, parts::EMBED_ROWS]].concat(),
        bindings: bindings(&[Access::Read, Access::Read, Access::Read, Access::Write]),
    }
}

pub fn embed(layout: &Layout, s: &Embed, out: &mut Vec<Dispatch>) {
    let weight = &layout.weights[s.table.0];
    for shard in 0..weight.shards.len() {
        let params = ProductParams {
            out_offset: s.out.offset as u32,
            out_stride: s.out.stride as u32,
            scale: s.scale,
            ..shard_params(layout, s.table, shard)
        };
        let weights = Bound::Shard(s.table, shard);
        out.push(Dispatch {
            variant: embed_variant(weight.format, s.index, s.add),
            params: bytemuck::bytes_of(&params).to_vec(),
            bound: vec![weights, weights, Bound::Buffer(layout.tokens), Bound::Buffer(s.out.buffer)],
            grid: Grid { x: Count::Tokens { times: params.units, per: WG }, y: ONE },
        });
    }
}

pub fn prologue(norm: Option<(NormKind, bool)>) -> Part {
    match norm {
        None => parts::PROLOGUE_NONE,
        Some((NormKind::Rms, false)) => parts::PROLOGUE_RMS,
        Some((NormKind::Rms, true)) => parts::PROLOGUE_RMS_BIAS,
        Some((NormKind::Layer, _)) => parts::PROLOGUE_LAYER,
    }
}

/// Whether a norm is computed along with the product, for as many tokens as there are; others belong to one token.
fn along(norm: Option<(NormKind, bool)>) -> bool {
    matches!(norm, None | Some((NormKind::Rms, false)))
}

/// Adds a norm's constants.
pub fn with_norm(layout: &Layout, norm: Option<&NormUse>, params: &mut ProductParams) {
    if let Some(norm) = norm {
        params.norm_weight = layout.vectors[norm.weight.0].offset as u32;
        params.norm_bias = norm.bias.map_or(0, |b| layout.vectors[b.0].offset as u32);
        params.eps = norm.eps;
    }
}

/// Adds the constants of a sum: what is read then is the stream so far.
fn with_sum(layout: &Layout, s: &Linear, params: &mut ProductParams) {
    if let Some(sum) = &s.sum {
        params.in_offset = sum.x.offset as u32 / 4;
        params.in_stride = sum.x.stride as u32 / 4;
        params.sum_weight = layout.vectors[sum.norm.weight.0].offset as u32;
        params.sum_eps = sum.norm.eps;
        params.sum_scale = sum.scale;
        params.sum_offset = sum.y.offset as u32 / 4;
        params.sum_stride = sum.y.stride as u32 / 4;
        params.to_offset = s.input.offset as u32 / 4;
        params.to_stride = s.input.stride as u32 / 4;
    }
}

fn norm_variant((kind, bias): (NormKind, bool), add: bool) -> Variant {
    let consts = consts([("HAS_NORM_BIAS", bias.to_string()), ("ADD", add.to_string())]);
    let access = [parts::COMMON, parts::PRODUCT_PARAMS, parts::PRODUCT, parts::STATISTICS];
    Variant {
        kernel: "norm_rows",
        consts,
        parts: [&access[..], &[prologue(Some((kind, bias))), parts::NORM_ROWS]].concat(),
        bindings: bindings(&[Access::Read, Access::Read, Access::Read, Access::Read, Access::Write]),
    }
}

pub fn norm(layout: &Layout, s: &NormRows) -> Dispatch {
    let mut params = ProductParams {
        cols: s.input.cols as u32,
        in_offset: s.input.offset as u32 / 4,
        in_stride: s.input.stride as u32 / 4,
        out_offset: s.out.offset as u32,
        out_stride: s.out.stride as u32,
        from_outputs: u32::from(s.rows == Rows::Outputs),
        scale: s.scale,
        parts: s.parts as u32,
        ..Default::default()
    };
    with_norm(layout, Some(&s.norm), &mut params);
    Dispatch {
        variant: norm_variant((s.norm.kind, s.norm.bias.is_some()), s.add),
        params: bytemuck::bytes_of(&params).to_vec(),
        // Bindings 2 and 3 hold weights in the products that share this layout; a norm has none.
        bound: vec![
            Bound::Vectors,
            Bound::Vectors,
            Bound::Vectors,
            Bound::Buffer(s.input.buffer),
            Bound::Buffer(s.out.buffer),
        ],
        grid: Grid { x: row_count(s.rows).times(s.parts as u32), y: ONE },
    }
}

fn row_count(rows: Rows) -> Count {
    match rows {
        Rows::Tokens => EACH_TOKEN,
        Rows::Outputs => Count::Outputs,
    }
}

/// The activation, the finish, and whether two rows make one output.
pub fn finish_parts(finish: Finish) -> (Part, Part, bool) {
    let act = |act| match act {
        Act::Silu => parts::ACT_SILU,
        Act::Gelu => parts::ACT_GELU,
        Act::ReluSquared => parts::ACT_RELU_SQUARED,
        Act::BoundedSilu => parts::ACT_BOUNDED_SILU,
    };
    match finish {
        Finish::Store => (parts::ACT_NONE, parts::FINISH_STORE, false),
        Finish::Add => (parts::ACT_NONE, parts::FINISH_ADD, false),
        Finish::Cap => (parts::ACT_NONE, parts::FINISH_CAP, false),
        Finish::Act(a) => (act(a), parts::FINISH_STORE, false),
        Finish::Gated(a) => (act(a), parts::FINISH_STORE, true),
        Finish::Gate(a) => (act(a), parts::FINISH_GATE, false),
    }
}

/// What some products have besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extra {
    Nothing,
    /// What an adapter adds to the product.
    Delta,
    /// What is added to the input.
    Sum,
}

impl Extra {
    fn of(delta: bool) -> Extra {
        if delta { Extra::Delta } else { Extra::Nothing }
    }
}

/// Weights twice, vectors, inputs, outputs, and what comes besides.
fn product_bindings(extra: Extra) -> Vec<Access> {
    let mut all = vec![Access::Read, Access::Read, Access::Read, Access::Read, Access::Write];
    match extra {
        Extra::Nothing => {}
        Extra::Delta => all.push(Access::Read),
        Extra::Sum => all.extend([Access::Read, Access::Write]),
    }
    bindings(&all)
}

fn delta_part(delta: bool) -> Part {
    if delta { parts::DELTA_ADD } else { parts::DELTA_NONE }
}

/// A product with one vector, or with a few.
struct Vector {
    format: &'static Format,
    finish: Finish,
    bias: bool,
    norm: Option<(NormKind, bool)>,
    extra: Extra,
    /// True where no threads share a row.
    one_lane: bool,
}

impl Vector {
    fn variant(&self, phase: Phase) -> Variant {
        let (act, finish, gated) = finish_parts(self.finish);
        let prologue: &[Part] = match (self.extra, self.norm) {
            (Extra::Sum, None) => &[parts::SUM, parts::PROLOGUE_SUM],
            (Extra::Sum, Some(_)) => &[parts::SUM, parts::PROLOGUE_SUM_RMS],
            (_, norm) => &[prologue(norm)],
        };
        let (kernel, text) = match phase {
            Phase::One => ("matvec", parts::MATVEC),
            _ => ("matvec_few", parts::MATVEC_FEW),
        };
        let values = [
            ("ONE_LANE", self.one_lane.to_string()),
            ("HAS_BIAS", self.bias.to_string()),
            ("HAS_NORM_BIAS", self.norm.is_some_and(|n| n.1).to_string()),
            ("GATED", gated.to_string()),
        ];
        let delta = delta_part(self.extra == Extra::Delta);
        Variant {
            kernel,
            consts: consts_of(matvec_threads(self.one_lane), values),
            parts: [
                &weight_parts(self.format)[..],
                &[parts::PRODUCT, delta, parts::SUMS, parts::STATISTICS],
                prologue,
                &[act, finish, parts::QUAD, text],
            ]
            .concat(),
            bindings: product_bindings(self.extra),
        }
    }
}

fn matmul_variant(format: &'static Format, finish: Finish, bias: bool, delta: bool, tile: Tile) -> Variant {
    let (act, finish, gated) = finish_parts(finish);
    Variant {
        kernel: "matmul",
        consts: consts([
            ("COLS", format!("{}u", tile.cols)),
            ("UNITS", format!("{}u", tile.units)),
            ("HAS_BIAS", bias.to_string()),
            ("GATED", gated.to_string()),
        ]),
        parts: [
            &weight_parts(format)[..],
            &[parts::PRODUCT, delta_part(delta), parts::SUMS, act, finish, parts::MATMUL],
        ]
        .concat(),
        bindings: product_bindings(Extra::of(delta)),
    }
}

/// Threads of a workgroup that multiplies by few vectors. One that does not share its rows shares its workgroup with no
/// more than fill the lanes of a CPU, so that even small products keep several cores busy.
fn matvec_threads(one_lane: bool) -> u32 {
    if one_lane { 16 } else { WG }
}

/// Threads that share a row of an expert: no more than it has units.
pub fn lanes(units: u32) -> u32 {
    units.next_power_of_two().clamp(1, 32)
}

/// What [`lanes`] can be: a row has whole blocks.
pub fn all_lanes(format: &Format) -> impl Iterator<Item = u32> + use<> {
    let least = lanes(format.block_len.div_ceil(UNIT) as u32);
    [1, 2, 4, 8, 16, 32].into_iter().filter(move |lanes| *lanes >= least)
}

pub fn linear(layout: &Layout, s: &Linear, phase: Phase, tuning: &Tuning, out: &mut Vec<Dispatch>) {
    let weight = &layout.weights[s.weight.0];
    for (i, shard) in weight.shards.iter().enumerate() {
        let mut params = ProductParams {
            in_offset: s.input.offset as u32 / 4,
            in_stride: s.input.stride as u32 / 4,
            out_offset: s.out.offset as u32,
            out_stride: s.out.stride as u32,
            bias: s.bias.map_or(0, |b| layout.vectors[b.0].offset as u32),
            from_outputs: u32::from(s.rows == Rows::Outputs),
            scale: s.scale,
            cap: s.cap,
            by_factor: u32::from(s.by_factor),
            delta_offset: s.delta.map_or(0, |d| d.offset as u32),
            delta_stride: s.delta.map_or(0, |d| d.stride as u32),
            ..shard_params(layout, s.weight, i)
        };
        with_norm(layout, s.norm.as_ref(), &mut params);
        with_sum(layout, s, &mut params);
        let (bias, norm) = (s.bias.is_some(), s.norm.map(|n| (n.kind, n.bias.is_some())));
        let (gated, rows) = (matches!(s.finish, Finish::Gated(_)), shard.outputs as u32);
        let phase = match phase {
            Phase::Many if s.norm.is_some() => Phase::One,
            Phase::Few if !along(norm) || s.sum.is_some() => Phase::One,
            other => other,
        };
        let (variant, grid) = if phase == Phase::Many {
            let (tile, tile_rows) = (tuning.tile, if gated { 32 } else { 64 });
            let y = Count::Tokens { times: 1, per: tile.tokens() };
            let variant = matmul_variant(weight.format, s.finish, bias, s.delta.is_some(), tile);
            (variant, Grid { x: Count::Fixed(rows.div_ceil(tile_rows)), y })
        } else {
            let quads = rows.div_ceil(if gated { 2 } else { 4 });
            params.lanes = tuning.lanes(quads, params.units);
            let one_lane = params.lanes == 1;
            let groups = quads.div_ceil(matvec_threads(one_lane) / params.lanes);
            let extra = if s.sum.is_some() { Extra::Sum } else { Extra::of(s.delta.is_some()) };
            let product = Vector { format: weight.format, finish: s.finish, bias, norm, extra, one_lane };
            let y = if phase == Phase::Few { ONE } else { row_count(s.rows) };
            (product.variant(phase), Grid { x: Count::Fixed(groups), y })
        };
        let weights = Bound::Shard(s.weight, i);
        let read = s.sum.map_or(s.input, |sum| sum.x);
        let (input, output) = (Bound::Buffer(read.buffer), Bound::Buffer(s.out.buffer));
        let mut bound = vec![weights, weights, Bound::Vectors, input, output];
        bound.extend(s.delta.map(|d| Bound::Buffer(d.buffer)));
        if let Some(sum) = &s.sum {
            bound.extend([sum.y.buffer, s.input.buffer].map(Bound::Buffer));
        }
        out.push(Dispatch { variant, params: bytemuck::bytes_of(&params).to_vec(), bound, grid });
    }
}
