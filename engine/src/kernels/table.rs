//! Steps -> dispatches: which variant, which constants, which buffers, how many workgroups.

use super::link::{Access, Variant};
use super::params::{
    AttendParams, GateParams, PoolParams, ProductParams, RopeStoreParams, ScaleParams, TopParams,
};
use super::parts::{self, Part};
use super::{experts, recurrent};
use crate::formats::{Format, UNIT};
use crate::models::{Act, HEAD_LEN_MAX, NormKind, NormOver, Pooling, RopePairs};
use crate::plan::{
    Attend, BufferId, CacheFormat, Clear, Embed, Finish, GateRows, Index, Linear, NormRows, NormUse,
    PAGE_TOKENS, Plan, Pool, RopeStore, Rows, Scale, Step, Top, VectorId, Weight, WeightId,
};

/// Threads of a workgroup; every device allows 256, and 64 fill the lanes of all.
pub const WG: u32 = 64;

/// One dispatch, static but for the number of workgroups.
#[derive(Debug, Clone)]
pub struct Dispatch {
    /// Its shader.
    pub variant: Variant,
    /// Its uniform.
    pub params: Vec<u8>,
    /// What is bound from binding 2 on; 0 is the uniform, 1 the state.
    pub bound: Vec<Bound>,
    /// Workgroups.
    pub grid: Grid,
}

/// A buffer that a dispatch sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Bound {
    Shard(WeightId, usize),
    Vectors,
    Buffer(BufferId),
}

/// Workgroups in x (spilling into z) and y.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct Grid {
    pub x: Count,
    pub y: Count,
}

/// A number of workgroups that may depend on the run.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum Count {
    Fixed(u32),
    /// tokens * times, divided, rounded up.
    Tokens {
        times: u32,
        per: u32,
    },
    /// One per output row.
    Outputs,
}

/// Whether a list of steps runs on many tokens or on few rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Phase {
    Many,
    One,
}

impl Count {
    /// `n` times as many; output rows have one part.
    fn times(self, n: u32) -> Count {
        match self {
            Count::Tokens { times, per } => Count::Tokens { times: times * n, per },
            other => other,
        }
    }
}

pub const ONE: Count = Count::Fixed(1);

/// One workgroup per token.
pub const EACH_TOKEN: Count = Count::Tokens { times: 1, per: 1 };

/// The dispatches of a list of steps.
pub fn dispatches(plan: &Plan, steps: &[Step], phase: Phase) -> Vec<Dispatch> {
    let mut out = Vec::new();
    for step in steps {
        match step {
            Step::Embed(s) => embed(plan, s, &mut out),
            Step::Norm(s) => out.push(norm(plan, s)),
            Step::Linear(s) => linear(plan, s, phase, &mut out),
            Step::RopeStore(s) => out.push(rope_store(plan, s)),
            Step::Attend(s) => out.push(attend(plan, s)),
            Step::Conv(s) => out.push(recurrent::conv(plan, s)),
            Step::Mamba2(s) => out.push(recurrent::mamba2_scan(plan, s)),
            Step::Delta(s) => out.push(recurrent::delta_scan(plan, s)),
            Step::GatedNorm(s) => out.push(recurrent::gated_norm(plan, s)),
            Step::Route(s) => out.push(experts::route(s)),
            Step::ExpertsUp(s) => experts::up(plan, s, &mut out),
            Step::ExpertsDown(s) => experts::down(plan, s, &mut out),
            Step::Scale(s) => out.push(scale(plan, s)),
            Step::Clear(s) => out.push(clear(s)),
            Step::Gate(s) => out.push(gate(s)),
            Step::Pool(s) => out.push(pool(s)),
            Step::Top(s) => out.push(top(s)),
        }
    }
    out
}

/// Kinds of norms, and whether they have biases.
pub const NORMS: [(NormKind, bool); 4] =
    [(NormKind::Rms, false), (NormKind::Rms, true), (NormKind::Layer, true), (NormKind::Layer, false)];

/// Every variant that any model of these formats can ask for, once. A finish that adds reads no norm, since what it
/// multiplies is not the residual stream; logits are capped row by row; attention to both sides keeps F32.
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
                    all.push(matmul_variant(format, finish, bias, delta));
                }
                let norms = if finish == Finish::Add { &NORMS[..0] } else { &NORMS };
                for norm in [None].into_iter().chain(norms.iter().copied().map(Some)) {
                    for lanes in all_lanes(format) {
                        all.push(matvec_variant(format, finish, bias, norm, delta, lanes));
                    }
                }
            }
        }
    }
    for norm in NORMS {
        all.extend([false, true].map(|add| norm_variant(norm, add)));
    }
    let heads = (2..=HEAD_LEN_MAX).step_by(2);
    for (cache, head) in CacheFormat::ALL.into_iter().flat_map(|cache| heads.clone().map(move |h| (cache, h)))
    {
        for gated in [false, true] {
            all.push(attend_variant(cache, head, true, gated, false));
        }
        all.push(attend_variant(cache, head, true, false, true));
        if cache == CacheFormat::F32 {
            all.push(attend_variant(cache, head, false, false, false));
        }
        for pairs in [RopePairs::Half, RopePairs::Adjacent, RopePairs::None] {
            for norms in head_norms() {
                all.push(rope_store_variant(cache, head, pairs, norms));
            }
        }
    }
    all.extend([Pooling::Mean, Pooling::First, Pooling::Last].map(pool_variant));
    all.push(top_variant());
    all.extend([scale_variant(), clear_variant(), gate_variant()]);
    all.extend(recurrent::variants());
    all.extend(experts::variants());
    all
}

fn finishes() -> Vec<Finish> {
    let acts = [Act::Silu, Act::Gelu];
    let mut all = vec![Finish::Store, Finish::Add, Finish::Cap];
    all.extend(acts.map(Finish::Act));
    all.extend(acts.map(Finish::Gated));
    all.extend(acts.map(Finish::Gate));
    all
}

pub fn consts<const N: usize>(values: [(&'static str, String); N]) -> Vec<(&'static str, String)> {
    let mut all = vec![("WG", format!("{WG}u"))];
    all.extend(values);
    all
}

/// What every kernel that reads a weight begins with: constants, bindings, helpers, and the decode of its format.
pub fn weight_parts(format: &Format) -> [Part; 6] {
    let decode = Part { path: format.wgsl_path, text: format.wgsl };
    [parts::COMMON, parts::PRODUCT_PARAMS, parts::BYTES, parts::WEIGHTS, parts::UNPACK, decode]
}

/// Bindings 0 and 1, then `rest`.
pub fn bindings(rest: &[Access]) -> Vec<Access> {
    [&[Access::Uniform, Access::Uniform], rest].concat()
}

/// First value of a vector in the vectors buffer.
pub fn vector_offset(plan: &Plan, id: VectorId) -> u32 {
    plan.vectors[id.0].offset as u32
}

/// The shard's part of a product's constants.
pub fn shard_params(plan: &Plan, id: WeightId, shard: usize) -> ProductParams {
    let weight = &plan.weights[id.0];
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
        parts: [&weight_parts(format)[..], &[parts::EMBED_ROWS]].concat(),
        bindings: bindings(&[Access::Read, Access::Read, Access::Read, Access::Write]),
    }
}

fn embed(plan: &Plan, s: &Embed, out: &mut Vec<Dispatch>) {
    let weight = &plan.weights[s.table.0];
    for shard in 0..weight.shards.len() {
        let params = ProductParams {
            out_offset: s.out.offset as u32,
            out_stride: s.out.stride as u32,
            scale: s.scale,
            ..shard_params(plan, s.table, shard)
        };
        let weights = Bound::Shard(s.table, shard);
        out.push(Dispatch {
            variant: embed_variant(weight.format, s.index, s.add),
            params: bytemuck::bytes_of(&params).to_vec(),
            bound: vec![weights, weights, Bound::Buffer(plan.ids), Bound::Buffer(s.out.buffer)],
            grid: Grid { x: Count::Tokens { times: params.units, per: WG }, y: ONE },
        });
    }
}

pub fn prologue(norm: Option<NormKind>) -> Part {
    match norm {
        None => parts::PROLOGUE_NONE,
        Some(NormKind::Rms) => parts::PROLOGUE_RMS,
        Some(NormKind::Layer) => parts::PROLOGUE_LAYER,
    }
}

/// Adds a norm's constants.
pub fn with_norm(plan: &Plan, norm: Option<&NormUse>, params: &mut ProductParams) {
    if let Some(norm) = norm {
        params.norm_weight = plan.vectors[norm.weight.0].offset as u32;
        params.norm_bias = norm.bias.map_or(0, |b| plan.vectors[b.0].offset as u32);
        params.eps = norm.eps;
    }
}

fn norm_variant((kind, bias): (NormKind, bool), add: bool) -> Variant {
    let consts = consts([("HAS_NORM_BIAS", bias.to_string()), ("ADD", add.to_string())]);
    let access = [parts::COMMON, parts::PRODUCT_PARAMS, parts::PRODUCT, parts::STATISTICS];
    Variant {
        kernel: "norm_rows",
        consts,
        parts: [&access[..], &[prologue(Some(kind)), parts::NORM_ROWS]].concat(),
        bindings: bindings(&[Access::Read, Access::Read, Access::Read, Access::Read, Access::Write]),
    }
}

fn norm(plan: &Plan, s: &NormRows) -> Dispatch {
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
    with_norm(plan, Some(&s.norm), &mut params);
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

/// Weights twice, vectors, inputs, outputs, and what an adapter adds.
fn product_bindings(delta: bool) -> Vec<Access> {
    let mut all = vec![Access::Read, Access::Read, Access::Read, Access::Read, Access::Write];
    all.extend(delta.then_some(Access::Read));
    bindings(&all)
}

fn delta_part(delta: bool) -> Part {
    if delta { parts::DELTA_ADD } else { parts::DELTA_NONE }
}

fn matvec_variant(
    format: &'static Format,
    finish: Finish,
    bias: bool,
    norm: Option<(NormKind, bool)>,
    delta: bool,
    lanes: u32,
) -> Variant {
    let (act, finish, gated) = finish_parts(finish);
    let norm_bias = norm.is_some_and(|n| n.1);
    Variant {
        kernel: "matvec",
        consts: consts([
            ("LANES", format!("{lanes}u")),
            ("HAS_BIAS", bias.to_string()),
            ("HAS_NORM_BIAS", norm_bias.to_string()),
            ("GATED", gated.to_string()),
        ]),
        parts: [
            &weight_parts(format)[..],
            &[parts::PRODUCT, delta_part(delta), parts::SUMS, parts::STATISTICS],
            &[prologue(norm.map(|n| n.0)), act, finish, parts::MATVEC],
        ]
        .concat(),
        bindings: product_bindings(delta),
    }
}

fn matmul_variant(format: &'static Format, finish: Finish, bias: bool, delta: bool) -> Variant {
    let (act, finish, gated) = finish_parts(finish);
    Variant {
        kernel: "matmul",
        consts: consts([("HAS_BIAS", bias.to_string()), ("GATED", gated.to_string())]),
        parts: [
            &weight_parts(format)[..],
            &[parts::PRODUCT, delta_part(delta), parts::SUMS, act, finish, parts::MATMUL],
        ]
        .concat(),
        bindings: product_bindings(delta),
    }
}

/// Threads that share a row: no more than it has units.
pub fn lanes(units: u32) -> u32 {
    units.next_power_of_two().clamp(1, 32)
}

/// What [`lanes`] can be: a row has whole blocks.
pub fn all_lanes(format: &Format) -> impl Iterator<Item = u32> + use<> {
    let least = lanes(format.block_len.div_ceil(UNIT) as u32);
    [1, 2, 4, 8, 16, 32].into_iter().filter(move |lanes| *lanes >= least)
}

fn linear(plan: &Plan, s: &Linear, phase: Phase, out: &mut Vec<Dispatch>) {
    let weight = &plan.weights[s.weight.0];
    let many = phase == Phase::Many && s.norm.is_none();
    for (i, shard) in weight.shards.iter().enumerate() {
        let mut params = ProductParams {
            in_offset: s.input.offset as u32 / 4,
            in_stride: s.input.stride as u32 / 4,
            out_offset: s.out.offset as u32,
            out_stride: s.out.stride as u32,
            bias: s.bias.map_or(0, |b| plan.vectors[b.0].offset as u32),
            from_outputs: u32::from(s.rows == Rows::Outputs),
            scale: s.scale,
            cap: s.cap,
            by_factor: u32::from(s.by_factor),
            delta_offset: s.delta.map_or(0, |d| d.offset as u32),
            delta_stride: s.delta.map_or(0, |d| d.stride as u32),
            ..shard_params(plan, s.weight, i)
        };
        with_norm(plan, s.norm.as_ref(), &mut params);
        let (bias, norm) = (s.bias.is_some(), s.norm.map(|n| (n.kind, n.bias.is_some())));
        let (gated, rows) = (matches!(s.finish, Finish::Gated(_)), shard.outputs as u32);
        let (variant, grid) = if many {
            let pairs = if gated { rows } else { rows.div_ceil(2) };
            let grid = Grid { x: Count::Fixed(pairs.div_ceil(16)), y: Count::Tokens { times: 1, per: 16 } };
            (matmul_variant(weight.format, s.finish, bias, s.delta.is_some()), grid)
        } else {
            let lanes = lanes(params.units);
            let grid = Grid { x: Count::Fixed(rows.div_ceil(WG / lanes)), y: row_count(s.rows) };
            (matvec_variant(weight.format, s.finish, bias, norm, s.delta.is_some(), lanes), grid)
        };
        let weights = Bound::Shard(s.weight, i);
        let (input, output) = (Bound::Buffer(s.input.buffer), Bound::Buffer(s.out.buffer));
        let mut bound = vec![weights, weights, Bound::Vectors, input, output];
        bound.extend(s.delta.map(|d| Bound::Buffer(d.buffer)));
        out.push(Dispatch { variant, params: bytemuck::bytes_of(&params).to_vec(), bound, grid });
    }
}

/// The constants of a cell of the KV cache.
fn cell_consts(format: CacheFormat, head_len: usize) -> [(&'static str, String); 5] {
    [
        ("HEAD", format!("{head_len}u")),
        ("PAGE", format!("{PAGE_TOKENS}u")),
        ("PER_WORD", format!("{}u", format.values_per_word())),
        ("CODE_WORDS", format!("{}u", format.code_words(head_len))),
        ("SCALE_WORDS", format!("{}u", format.scale_words(head_len))),
    ]
}

/// What writes a cell.
fn store_parts(format: CacheFormat) -> &'static [Part] {
    match format {
        CacheFormat::F32 => &[parts::STORE_F32],
        CacheFormat::F16 => &[parts::STORE_F16],
        CacheFormat::Q8_0 => &[parts::STORE_BLOCKS, parts::STORE_Q8_0],
        CacheFormat::Q4_0 => &[parts::STORE_BLOCKS, parts::STORE_Q4_0],
    }
}

/// What reads a cell.
fn cache_parts(format: CacheFormat, head_len: usize) -> &'static [Part] {
    match format {
        CacheFormat::F32 if head_len.is_multiple_of(4) => &[parts::CACHE_F32_VEC4],
        CacheFormat::F32 => &[parts::CACHE_F32],
        CacheFormat::F16 => &[parts::CACHE_F16],
        CacheFormat::Q8_0 => &[parts::BYTES, parts::CACHE_BLOCKS, parts::CACHE_Q8_0],
        CacheFormat::Q4_0 => &[parts::CACHE_BLOCKS, parts::CACHE_Q4_0],
    }
}

/// The norms of heads that models have.
fn head_norms() -> [HeadNorms; 7] {
    let over = NormOver::Heads;
    let none = HeadNorms { normed: false, after: false, over, centred: false, values: false };
    let normed = HeadNorms { normed: true, ..none };
    let each = HeadNorms { over: NormOver::EachHead, ..normed };
    [
        none,
        normed,
        HeadNorms { over: NormOver::Row, ..normed },
        HeadNorms { values: true, ..normed },
        HeadNorms { after: true, ..normed },
        each,
        HeadNorms { centred: true, ..each },
    ]
}

/// Norms of heads on their way to the cache.
#[derive(Debug, Clone, Copy)]
struct HeadNorms {
    /// Queries and keys have norms,
    normed: bool,
    /// after the rotation,
    after: bool,
    /// over heads or rows,
    over: NormOver,
    /// around their means;
    centred: bool,
    /// and values have one without weights.
    values: bool,
}

fn rope_store_variant(cache: CacheFormat, head_len: usize, pairs: RopePairs, norms: HeadNorms) -> Variant {
    let pairs = match pairs {
        RopePairs::Half => "0u",
        RopePairs::Adjacent => "1u",
        RopePairs::None => "2u",
    };
    Variant {
        kernel: "rope_store",
        consts: [
            consts([
                ("PAIRS", pairs.to_owned()),
                ("NORMED", norms.normed.to_string()),
                ("NORM_AFTER", norms.after.to_string()),
                ("WIDE", (norms.over == NormOver::Row).to_string()),
                ("EACH_HEAD", (norms.over == NormOver::EachHead).to_string()),
                ("CENTRED", norms.centred.to_string()),
                ("VALUE_NORM", norms.values.to_string()),
            ]),
            cell_consts(cache, head_len).to_vec(),
        ]
        .concat(),
        parts: [&[parts::COMMON, parts::STATISTICS, parts::CELLS], store_parts(cache), &[parts::ROPE_STORE]]
            .concat(),
        bindings: bindings(&[
            Access::Read,
            Access::Read,
            Access::Read,
            Access::Read,
            Access::Write,
            Access::Write,
            Access::Write,
        ]),
    }
}

fn rope_store(plan: &Plan, s: &RopeStore) -> Dispatch {
    let offset = |n: Option<NormUse>| n.map_or(0, |n| vector_offset(plan, n.weight));
    let q_stride = s.head_len * if s.gated { 2 } else { 1 };
    let k_first = s.heads * q_stride;
    let v_first = k_first + if s.values_are_keys { 0 } else { s.kv_heads * s.head_len };
    let params = RopeStoreParams {
        heads: s.heads as u32,
        kv_heads: s.kv_heads as u32,
        rope_len: s.rope_len as u32,
        in_offset: s.qkv.offset as u32,
        in_stride: s.qkv.stride as u32,
        out_offset: s.q.offset as u32,
        out_stride: s.q.stride as u32,
        q_norm: offset(s.norms.map(|n| n.0)),
        k_norm: offset(s.norms.map(|n| n.1)),
        eps: s.norms.map_or(0.0, |n| n.0.eps),
        temperature: s.temperature.map_or(0.0, |t| t.scale),
        original_tokens: s.temperature.map_or(1, |t| t.original_tokens as u32),
        q_stride: q_stride as u32,
        v_first: v_first as u32,
        value_eps: s.value_norm.unwrap_or(0.0),
        scales: s.kv.first_scale() as u32,
    };
    let angles = s.rope.map_or(Bound::Vectors, Bound::Buffer);
    Dispatch {
        variant: rope_store_variant(
            s.kv.format,
            s.head_len,
            s.pairs,
            HeadNorms {
                normed: s.norms.is_some(),
                after: s.norm_after,
                over: s.norm_over,
                centred: s.norms.is_some_and(|n| n.0.kind == NormKind::Layer),
                values: s.value_norm.is_some(),
            },
        ),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![
            Bound::Vectors,
            angles,
            Bound::Buffer(plan.pages),
            Bound::Buffer(s.qkv.buffer),
            Bound::Buffer(s.q.buffer),
            Bound::Buffer(s.kv.keys),
            Bound::Buffer(s.kv.values),
        ],
        grid: Grid {
            x: Count::Fixed((s.heads + if s.store { 2 * s.kv_heads } else { 0 }) as u32),
            y: EACH_TOKEN,
        },
    }
}

fn attend_variant(cache: CacheFormat, head_len: usize, causal: bool, gated: bool, sinks: bool) -> Variant {
    let (softmax, bound) = if sinks { (parts::SINKS_SCORES, 6) } else { (parts::SINKS_NONE, 5) };
    let mut access = vec![Access::Read; bound + 1];
    access[4] = Access::Write;
    Variant {
        kernel: "attend",
        consts: [
            consts([
                ("PER_THREAD", format!("{}u", head_len.div_ceil(WG as usize))),
                ("CAUSAL", causal.to_string()),
                ("GATED", gated.to_string()),
            ]),
            cell_consts(cache, head_len).to_vec(),
        ]
        .concat(),
        parts: [&[parts::COMMON, parts::CELLS], cache_parts(cache, head_len), &[softmax, parts::ATTEND]]
            .concat(),
        bindings: bindings(&access),
    }
}

fn attend(plan: &Plan, s: &Attend) -> Dispatch {
    let params = AttendParams {
        group: (s.heads / s.kv_heads) as u32,
        kv_heads: s.kv_heads as u32,
        q_offset: s.q.offset as u32,
        q_stride: s.q.stride as u32,
        out_offset: s.out.offset as u32,
        out_stride: s.out.stride as u32,
        scale: s.scale,
        cap: s.cap,
        window: s.window.unwrap_or(0) as u32,
        gate_offset: s.gate.map_or(0, |g| g.offset as u32),
        gate_stride: s.gate.map_or(0, |g| g.stride as u32),
        scales: s.kv.first_scale() as u32,
        sinks: s.sinks.map_or(0, |v| vector_offset(plan, v)),
        pad: [0; 3],
    };
    let mut bound = vec![
        Bound::Buffer(plan.pages),
        Bound::Buffer(s.q.buffer),
        Bound::Buffer(s.kv.keys),
        Bound::Buffer(s.kv.values),
        Bound::Buffer(s.out.buffer),
        s.gate.map_or(Bound::Vectors, |g| Bound::Buffer(g.buffer)),
    ];
    bound.extend(s.sinks.map(|_| Bound::Vectors));
    Dispatch {
        variant: attend_variant(s.kv.format, s.head_len, s.causal, s.gate.is_some(), s.sinks.is_some()),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound,
        grid: Grid { x: Count::Fixed(s.heads as u32), y: EACH_TOKEN },
    }
}

fn pool_variant(how: Pooling) -> Variant {
    let how = match how {
        Pooling::Mean => "0u",
        Pooling::First => "1u",
        Pooling::Last => "2u",
    };
    Variant {
        kernel: "pool_rows",
        consts: consts([("HOW", how.to_owned())]),
        parts: vec![parts::COMMON, parts::POOL_ROWS],
        bindings: bindings(&[Access::Read, Access::Write]),
    }
}

fn pool(s: &Pool) -> Dispatch {
    let params = PoolParams {
        in_offset: s.input.offset as u32,
        in_stride: s.input.stride as u32,
        out_offset: s.out.offset as u32,
        cols: s.out.cols as u32,
    };
    Dispatch {
        variant: pool_variant(s.how),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![Bound::Buffer(s.input.buffer), Bound::Buffer(s.out.buffer)],
        grid: Grid { x: Count::Fixed(params.cols.div_ceil(WG)), y: ONE },
    }
}

fn top_variant() -> Variant {
    Variant {
        kernel: "pick_top",
        consts: consts([]),
        parts: vec![parts::COMMON, parts::PICK_TOP],
        bindings: bindings(&[Access::Read, Access::Write, Access::Write]),
    }
}

fn top(s: &Top) -> Dispatch {
    let (in_offset, in_stride) = (s.logits.offset as u32, s.logits.stride as u32);
    let params = TopParams { in_offset, in_stride, cols: s.logits.cols as u32, pad: 0 };
    Dispatch {
        variant: top_variant(),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![Bound::Buffer(s.logits.buffer), Bound::Buffer(s.top), Bound::Buffer(s.ids)],
        grid: Grid { x: ONE, y: ONE },
    }
}

fn scale_variant() -> Variant {
    Variant {
        kernel: "scale_rows",
        consts: consts([]),
        parts: vec![parts::COMMON, parts::SCALE_ROWS],
        bindings: bindings(&[Access::Read, Access::Write]),
    }
}

fn scale(plan: &Plan, s: &Scale) -> Dispatch {
    let (offset, stride, cols) = (s.x.offset as u32, s.x.stride as u32, s.x.cols as u32);
    let params = ScaleParams { offset, stride, cols, by: vector_offset(plan, s.by) };
    Dispatch {
        variant: scale_variant(),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![Bound::Vectors, Bound::Buffer(s.x.buffer)],
        grid: Grid { x: Count::Fixed(cols.div_ceil(WG)), y: EACH_TOKEN },
    }
}

fn clear_variant() -> Variant {
    Variant {
        kernel: "clear_rows",
        consts: consts([]),
        parts: vec![parts::COMMON, parts::CLEAR_ROWS],
        bindings: bindings(&[Access::Write]),
    }
}

fn clear(s: &Clear) -> Dispatch {
    let (offset, stride, cols) = (s.x.offset as u32, s.x.stride as u32, s.x.cols as u32);
    Dispatch {
        variant: clear_variant(),
        params: bytemuck::bytes_of(&ScaleParams { offset, stride, cols, by: 0 }).to_vec(),
        bound: vec![Bound::Buffer(s.x.buffer)],
        grid: Grid { x: Count::Fixed(cols.div_ceil(WG)), y: EACH_TOKEN },
    }
}

fn gate_variant() -> Variant {
    Variant {
        kernel: "gate_rows",
        consts: consts([]),
        parts: vec![parts::COMMON, parts::GATE_ROWS],
        bindings: bindings(&[Access::Read, Access::Write]),
    }
}

fn gate(s: &GateRows) -> Dispatch {
    let params = GateParams {
        offset: s.x.offset as u32,
        stride: s.x.stride as u32,
        cols: s.x.cols as u32,
        by_offset: s.by.offset as u32,
        by_stride: s.by.stride as u32,
        pad: [0; 3],
    };
    Dispatch {
        variant: gate_variant(),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![Bound::Buffer(s.by.buffer), Bound::Buffer(s.x.buffer)],
        grid: Grid { x: Count::Fixed(params.cols.div_ceil(WG)), y: EACH_TOKEN },
    }
}
