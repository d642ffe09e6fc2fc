//! Steps -> draws: which shader, which constants, which textures, which texels.

use std::ops::Range;

use super::link::{Const, Program};
use super::parts::{self, Part, decode};
use crate::formats::UNIT;
use crate::kernels::{
    Attend, Bound, Class, Conv, Count, DeltaScan, Dispatch, Embed, ExpertsDown, ExpertsUp, GatedNorm, Linear,
    Mamba2Scan, NormRows, Phase, Pool, ProductParams, RopeStore, Route, Step, Top, Tuning, dispatches,
};
use crate::plan::{
    Act, BufferId, CHUNK, CacheFormat, Finish, Index, Kv, Layout, NormKind, NormOver, NormUse, PAGE_TOKENS,
    Pooling, RopePairs, Rows, View, WeightId,
};

/// One draw, static but for how many rows it makes.
#[derive(Debug, Clone)]
pub struct Draw {
    /// Its shader.
    pub program: Program,
    /// Its uniform block.
    pub params: Vec<u8>,
    /// What the samplers of the program see.
    pub reads: Vec<Texture>,
    /// What it makes.
    pub target: Target,
    /// True where it is drawn for every token of the slice, one after the other.
    pub each_token: bool,
    /// How many tokens a slice has where it is drawn.
    pub tokens: Range<u32>,
}

/// What a draw reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Texture {
    Shard(WeightId, usize),
    Vectors,
    Buffer(BufferId),
    Scratch(Scratch),
}

/// What lies between two draws of a step. One of each serves all steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scratch {
    /// Rows with their norm.
    Normed,
    /// Of attention.
    Scores,
    /// Of the state of a delta net, beside its output.
    Changes,
    /// Products of a weight with four tokens side by side: of every fourth token, from this one on.
    Sums(u8),
}

impl Scratch {
    /// What it holds, in words.
    pub fn name(self) -> &'static str {
        match self {
            Scratch::Normed => "rows with their norm",
            Scratch::Scores => "the scores of attention",
            Scratch::Changes => "changes of a state",
            Scratch::Sums(_) => "products of four tokens",
        }
    }
}

/// Tokens from which on weights are decoded once for four of them.
const MANY: u32 = 3;

/// What a draw makes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// A buffer or scratch.
    pub texture: Texture,
    /// Textures of the same layout that are made at the same time.
    pub others: [Option<Texture>; 3],
    /// Which words.
    pub region: Region,
    /// True where the buffer is read too: its twin is drawn, and is the buffer from then on.
    pub twin: bool,
}

/// Words of a texture.
#[derive(Debug, Clone, Copy)]
pub enum Region {
    /// Rows of `cols` words, `stride` apart.
    Rows {
        /// First word of row 0.
        offset: usize,
        /// From row to row.
        stride: usize,
        /// Of a row.
        cols: usize,
        /// How many.
        rows: Count,
    },
    /// The cells of every token of the slice.
    Cells(Kv),
    /// What belongs to the slot of the sequence.
    Slot {
        /// Of a slot.
        words: usize,
    },
}

const ALWAYS: Range<u32> = 0..u32::MAX;

const EACH_TOKEN: Count = Count::Tokens { times: 1, per: 1 };

impl Region {
    fn rows(view: &View, rows: Count) -> Self {
        Region::Rows { offset: view.offset, stride: view.stride, cols: view.cols, rows }
    }
}

impl Target {
    fn rows(view: &View, rows: Count) -> Self {
        Target {
            texture: Texture::Buffer(view.buffer),
            others: [None; 3],
            region: Region::rows(view, rows),
            twin: false,
        }
    }

    /// The buffer whose twin is drawn.
    pub fn twin_of(&self) -> Option<BufferId> {
        match self.texture {
            Texture::Buffer(id) if self.twin => Some(id),
            _ => None,
        }
    }

    /// Whole rows in the twin.
    fn in_place(view: &View, rows: Count) -> Self {
        let offset = view.offset - view.offset % view.stride;
        let region = Region::Rows { offset, stride: view.stride, cols: view.stride, rows };
        Target { region, twin: true, ..Target::rows(view, rows) }
    }

    fn rows_or_twin(view: &View, rows: Count, twin: bool) -> Self {
        if twin { Target::in_place(view, rows) } else { Target::rows(view, rows) }
    }

    fn slot(state: BufferId, words: usize) -> Self {
        Target {
            texture: Texture::Buffer(state),
            others: [None; 3],
            region: Region::Slot { words },
            twin: true,
        }
    }
}

/// Positions that rows of scores have room for.
fn positions(layout: &Layout) -> usize {
    layout.options.context_tokens.next_multiple_of(PAGE_TOKENS)
}

/// Every scratch texture that a list of draws makes, and its words.
pub fn scratch_words(layout: &Layout, draws: &[Draw]) -> Vec<(Scratch, usize)> {
    let mut all = Vec::new();
    for target in draws.iter().map(|draw| &draw.target) {
        let words = match (target.texture, target.region) {
            (Texture::Buffer(b), _) => layout.buffers[b.0].len,
            (_, Region::Rows { stride, rows: Count::Tokens { times, per }, .. }) => {
                stride * (layout.options.slice_tokens * times as usize).div_ceil(per as usize)
            }
            _ => 0,
        };
        for texture in [Some(target.texture)].into_iter().chain(target.others).flatten() {
            if let Texture::Scratch(scratch) = texture {
                all.push((scratch, words));
            }
        }
    }
    all
}

/// The draws of a list of steps.
pub fn draws(layout: &Layout, steps: &[Step]) -> Vec<Draw> {
    let mut all = Drawing { layout, tuning: Tuning::of(Class::Unknown), out: Vec::new() };
    steps.iter().for_each(|step| all.step(step));
    all.out
}

struct Drawing<'a> {
    layout: &'a Layout,
    tuning: Tuning,
    out: Vec<Draw>,
}

fn uint(v: usize) -> Const {
    Const::Uint(v as u32)
}

fn twin_part(twin: bool) -> Part {
    if twin { parts::TWIN } else { parts::DISCARD }
}

fn act_const(act: Option<Act>) -> (&'static str, Const) {
    let number = match act {
        None => 0,
        Some(Act::Silu) => 1,
        Some(Act::Gelu) => 2,
        Some(Act::ReluSquared) => 3,
        Some(Act::BoundedSilu) => 4,
    };
    ("ACT", Const::Int(number))
}

fn row_count(rows: Rows) -> Count {
    match rows {
        Rows::Tokens => EACH_TOKEN,
        Rows::Outputs => Count::Outputs,
    }
}

impl Drawing<'_> {
    fn step(&mut self, step: &Step) {
        match step {
            Step::Embed(s) => self.embed(step, s),
            Step::Norm(s) => {
                let out = View { cols: s.parts * s.out.cols, ..s.out };
                self.norm(step, s, Target::rows_or_twin(&out, row_count(s.rows), s.add));
            }
            Step::Linear(s) => self.linear(s),
            Step::RopeStore(s) => self.rope_store(step, s),
            Step::Attend(s) => self.attend(step, s),
            Step::Conv(s) => self.conv(step, s),
            Step::Mamba2(s) => self.mamba2(step, s),
            Step::Delta(s) => self.delta(step, s),
            Step::GatedNorm(s) => self.gated_norm(step, s),
            Step::Route(s) => self.route(step, s),
            Step::ExpertsUp(s) => self.experts_up(s),
            Step::ExpertsDown(s) => self.experts_down(step, s),
            Step::Scale(s) => {
                self.in_place(step, &s.x, "scale_rows", parts::SCALE_ROWS, ("vectors", Texture::Vectors));
            }
            Step::Clear(s) => {
                let program = program("clear_rows", &[], &[parts::CLEAR_ROWS], &[]);
                self.push(step, program, vec![], Target::rows(&s.x, EACH_TOKEN));
            }
            Step::Gate(s) => {
                self.in_place(
                    step,
                    &s.x,
                    "gate_rows",
                    parts::GATE_ROWS,
                    ("by", Texture::Buffer(s.by.buffer)),
                );
            }
            Step::Pool(s) => self.pool(step, s),
            Step::ChunkTops(s) => {
                let consts = [("CHUNK", uint(CHUNK))];
                let program = program("chunk_tops", &consts, &[parts::CHUNK_TOPS], &["logits"]);
                let target = whole(s.candidates, 2 * s.chunks, Count::Outputs);
                self.push(step, program, vec![Texture::Buffer(s.logits.buffer)], target);
            }
            Step::Top(s) => self.top(step, s),
            // The host draws: see `Device::draws`.
            Step::Shortlist(_) | Step::Draw(_) => {}
        }
    }

    /// The constants of a step, which are those of its dispatches: one a shard.
    fn dispatches(&self, step: &Step) -> Vec<Dispatch> {
        dispatches(self.layout, std::slice::from_ref(step), Phase::Many, &self.tuning)
    }

    fn params(&self, step: &Step) -> Vec<u8> {
        self.dispatches(step).into_iter().next().map(|d| d.params).unwrap_or_default()
    }

    fn push(&mut self, step: &Step, program: Program, reads: Vec<Texture>, target: Target) {
        let params = self.params(step);
        self.out.push(Draw { program, params, reads, target, each_token: false, tokens: ALWAYS });
    }

    /// A draw for every shard of a weight; what it reads begins with the shard.
    fn push_shards(&mut self, step: &Step, program: &Program, reads: &[Texture], target: Target) {
        for dispatch in self.dispatches(step) {
            let Some(Bound::Shard(weight, shard)) = dispatch.bound.first() else { continue };
            let mut reads = [&[Texture::Shard(*weight, *shard)], reads].concat();
            reads.truncate(program.samplers.len());
            let params = dispatch.params;
            self.out.push(Draw {
                program: program.clone(),
                params,
                reads,
                target,
                each_token: false,
                tokens: ALWAYS,
            });
        }
    }

    fn in_place(
        &mut self,
        step: &Step,
        x: &View,
        kernel: &'static str,
        part: Part,
        read: (&'static str, Texture),
    ) {
        let program = program(kernel, &[], &[parts::TWIN, part], &["old", read.0]);
        let reads = vec![Texture::Buffer(x.buffer), read.1];
        self.push(step, program, reads, Target::in_place(x, EACH_TOKEN));
    }

    fn embed(&mut self, step: &Step, s: &Embed) {
        let index = match s.index {
            Index::Id => 0,
            Index::Position => 1,
            Index::Zero => 2,
        };
        let parts =
            [&weight_parts(self.layout, s.table)[..], &[parts::TOKENS, twin_part(s.add), parts::EMBED_ROWS]]
                .concat();
        let program =
            program("embed_rows", &[("INDEX", Const::Int(index))], &parts, &["weights", "tokens", "old"]);
        let reads = [Texture::Buffer(self.layout.tokens), Texture::Buffer(s.out.buffer)];
        let reads = if s.add { &reads[..] } else { &reads[..1] };
        self.push_shards(
            step,
            &program.with(reads.len() + 1),
            reads,
            Target::rows_or_twin(&s.out, EACH_TOKEN, s.add),
        );
    }

    fn norm(&mut self, step: &Step, s: &NormRows, target: Target) {
        let consts = [
            ("LAYER", Const::Bool(s.norm.kind == NormKind::Layer)),
            ("HAS_NORM_BIAS", Const::Bool(s.norm.bias.is_some())),
        ];
        let parts = [parts::PRODUCT_PARAMS, parts::NORMS, twin_part(target.twin), parts::NORM_ROWS];
        let program = program("norm_rows", &consts, &parts, &["vectors", "inputs", "old"]);
        let mut reads = vec![Texture::Vectors, Texture::Buffer(s.input.buffer)];
        if target.twin {
            reads.push(target.texture);
        }
        self.push(step, program.with(reads.len()), reads, target);
    }

    /// Rows with their norm in scratch; returns the view of them.
    fn normed(&mut self, input: &View, norm: NormUse) -> View {
        let out = View { offset: 0, stride: input.cols.next_multiple_of(UNIT), ..*input };
        let rows =
            NormRows { input: *input, out, norm, rows: Rows::Tokens, parts: 1, add: false, scale: 1.0 };
        let target = Target { texture: Texture::Scratch(Scratch::Normed), ..Target::rows(&out, EACH_TOKEN) };
        self.norm(&Step::Norm(rows.clone()), &rows, target);
        out
    }

    fn linear(&mut self, s: &Linear) {
        let mut s = s.clone();
        let mut input = Texture::Buffer(s.input.buffer);
        if let Some(norm) = s.norm.take() {
            s.input = self.normed(&s.input, norm);
            input = Texture::Scratch(Scratch::Normed);
        }
        let (finish, act, twin) = match s.finish {
            Finish::Store => (0, None, false),
            Finish::Act(act) => (0, Some(act), false),
            Finish::Add => (1, None, true),
            Finish::Gated(act) => (2, Some(act), false),
            Finish::Cap => (3, None, false),
            Finish::Gate(act) => (4, Some(act), true),
        };
        // A texel that begins before the view belongs to others too.
        let twin = twin || !s.out.offset.is_multiple_of(4);
        let consts = [
            ("HAS_BIAS", Const::Bool(s.bias.is_some())),
            ("HAS_DELTA", Const::Bool(s.delta.is_some())),
            ("FINISH", Const::Int(finish)),
            act_const(act),
        ];
        let delta = if s.delta.is_some() { parts::DELTA } else { parts::NO_DELTA };
        let parts = [
            &weight_parts(self.layout, s.weight)[..],
            &[parts::OUTPUT_ROWS, parts::PRODUCT, delta, parts::ACTS, twin_part(twin), parts::LINEAR],
        ]
        .concat();
        let mut samplers = vec!["weights", "vectors", "inputs"];
        let mut reads = vec![Texture::Vectors, input];
        if let Some(delta) = s.delta {
            samplers.push("deltas");
            reads.push(Texture::Buffer(delta.buffer));
        }
        if twin {
            samplers.push("old");
            reads.push(Texture::Buffer(s.out.buffer));
        }
        let alone = program("linear", &consts, &parts, &samplers);
        let target = Target::rows_or_twin(&s.out, row_count(s.rows), twin);
        let from = self.out.len();
        let step = Step::Linear(s.clone());
        self.push_shards(&step, &alone, &reads, target);
        if s.rows == Rows::Outputs {
            return;
        }
        // For many tokens each shard in two draws: products of four at a time, then what becomes of them.
        let gather = [parts::PRODUCT_PARAMS, parts::OUTPUT_ROWS, parts::GATHERED, delta, parts::ACTS];
        let gather = [&gather[..], &[twin_part(twin), parts::LINEAR]].concat();
        let sums: [Texture; 4] = std::array::from_fn(|k| Texture::Scratch(Scratch::Sums(k as u8)));
        let count = self.out.len() - from;
        for i in 0..count {
            let one = self.out[from + i].clone();
            let mut params: ProductParams = bytemuck::pod_read_unaligned(&one.params);
            let rows = params.rows as usize * self.layout.weights[s.weight.0].rows_per_output;
            params.lanes = rows.next_multiple_of(4) as u32;
            let lanes = params.lanes as usize;
            let params = bytemuck::bytes_of(&params).to_vec();
            let parts = [&weight_parts(self.layout, s.weight)[..], &[parts::PRODUCT, parts::SUMS]].concat();
            let region = Region::Rows {
                offset: 0,
                stride: lanes,
                cols: lanes,
                rows: Count::Tokens { times: 1, per: 4 },
            };
            self.out.push(Draw {
                program: program("sums", &[("ROWS", uint(rows))], &parts, &["weights", "inputs"]),
                params: params.clone(),
                reads: vec![one.reads[0], input],
                target: Target {
                    texture: sums[0],
                    others: [Some(sums[1]), Some(sums[2]), Some(sums[3])],
                    region,
                    twin: false,
                },
                each_token: false,
                tokens: MANY..u32::MAX,
            });
            let names = ["vectors", "sums0", "sums1", "sums2", "sums3"];
            let rest = &samplers[3..];
            self.out.push(Draw {
                program: program("gathered", &consts, &gather, &[&names[..], rest].concat()),
                params,
                reads: [&[Texture::Vectors], &sums[..], &reads[2..]].concat(),
                target,
                each_token: false,
                tokens: MANY..u32::MAX,
            });
            self.out[from + i].tokens = 0..MANY;
        }
    }

    fn rope_store(&mut self, step: &Step, s: &RopeStore) {
        let pairs = match s.pairs {
            RopePairs::Half => 0,
            RopePairs::Adjacent => 1,
            RopePairs::None => 2,
        };
        let mut consts = vec![
            ("PAIRS", Const::Int(pairs)),
            ("NORMED", Const::Bool(s.norms.is_some())),
            ("NORM_AFTER", Const::Bool(s.norm_after)),
            ("WIDE", Const::Bool(s.norm_over == NormOver::Row)),
            ("EACH_HEAD", Const::Bool(s.norm_over == NormOver::EachHead)),
            ("CENTRED", Const::Bool(s.norms.is_some_and(|n| n.0.kind == NormKind::Layer))),
            ("VALUE_NORM", Const::Bool(s.value_norm.is_some())),
            ("HEAD", uint(s.head_len)),
        ];
        let angles = s.rope.map_or(Texture::Vectors, Texture::Buffer);
        let reads = vec![
            Texture::Vectors,
            angles,
            Texture::Buffer(s.qkv.buffer),
            Texture::Buffer(self.layout.tokens),
        ];
        let samplers = ["vectors", "angles", "qkv", "tokens", "pages"];
        let queries = program(
            "rope_queries",
            &consts,
            &[parts::ROPE, parts::TOKENS, parts::ROPE_QUERIES],
            &samplers[..4],
        );
        self.push(step, queries, reads.clone(), Target::rows(&s.q, EACH_TOKEN));
        if !s.store {
            return;
        }
        consts.extend(cell_consts(&s.kv));
        let parts =
            [&[parts::ROPE, parts::TOKENS, parts::CELLS], store_parts(s.kv.format), &[parts::ROPE_CELLS]]
                .concat();
        let cells = Program { cells: true, ..program("rope_cells", &consts, &parts, &samplers) };
        let reads = [&reads[..], &[Texture::Buffer(self.layout.pages)]].concat();
        let target = Target {
            texture: Texture::Buffer(s.kv.keys),
            others: [Some(Texture::Buffer(s.kv.values)), None, None],
            region: Region::Cells(s.kv),
            twin: false,
        };
        self.push(step, cells, reads, target);
    }

    fn attend(&mut self, step: &Step, s: &Attend) {
        let mut consts = vec![("POSITIONS", uint(positions(self.layout)))];
        consts.extend(cell_consts(&s.kv));
        consts.push(("HEAD", uint(s.head_len)));
        let parts = [&[parts::TOKENS, parts::CELLS, parts::ATTENTION], cache_parts(s.kv.format)].concat();
        let (tokens, pages) = (Texture::Buffer(self.layout.tokens), Texture::Buffer(self.layout.pages));
        let scores = Texture::Scratch(Scratch::Scores);
        let region = Region::Rows {
            offset: 0,
            stride: positions(self.layout),
            cols: positions(self.layout),
            rows: Count::Tokens { times: s.heads as u32, per: 1 },
        };
        self.push(
            step,
            program(
                "attend_scores",
                &consts,
                &[&parts[..], &[parts::ATTEND_SCORES]].concat(),
                &["tokens", "pages", "q", "keys"],
            ),
            vec![tokens, pages, Texture::Buffer(s.q.buffer), Texture::Buffer(s.kv.keys)],
            Target { texture: scores, others: [None; 3], region, twin: false },
        );
        let gates = s.gate.map_or(Texture::Vectors, |g| Texture::Buffer(g.buffer));
        self.push(
            step,
            program(
                "attend_mix",
                &consts,
                &[&parts[..], &[parts::ATTEND_MIX]].concat(),
                &["tokens", "pages", "vectors", "scores", "values", "gates"],
            ),
            vec![tokens, pages, Texture::Vectors, scores, Texture::Buffer(s.kv.values), gates],
            Target::rows(&s.out, EACH_TOKEN),
        );
    }

    fn conv(&mut self, step: &Step, s: &Conv) {
        let consts = [
            ("KERNEL", uint(s.kernel)),
            ("GATED", Const::Bool(s.gated)),
            ("HAS_BIAS", Const::Bool(s.bias.is_some())),
        ];
        let reads = vec![Texture::Buffer(s.input.buffer), Texture::Buffer(s.state), Texture::Vectors];
        let samplers = ["inputs", "taps", "vectors"];
        let out = program("conv", &consts, &[parts::CONVOLUTION, parts::CONV], &samplers);
        self.push(step, out, reads.clone(), Target::rows(&s.out, EACH_TOKEN));
        let taps = program("conv_taps", &consts, &[parts::CONVOLUTION, parts::CONV_TAPS], &samplers[..2]);
        self.push(step, taps, reads[..2].to_vec(), Target::slot(s.state, s.channels * (s.kernel - 1)));
    }

    fn mamba2(&mut self, step: &Step, s: &Mamba2Scan) {
        let samplers = ["vectors", "xbc", "dts", "rows"];
        let reads = vec![
            Texture::Vectors,
            Texture::Buffer(s.xbc.buffer),
            Texture::Buffer(s.dt.buffer),
            Texture::Buffer(s.state),
        ];
        let out = program("mamba2_out", &[], &[parts::MAMBA2, parts::MAMBA2_OUT], &samplers);
        self.push(step, out, reads.clone(), Target::rows(&s.out, EACH_TOKEN));
        let state = program("mamba2_state", &[], &[parts::MAMBA2, parts::MAMBA2_STATE], &samplers);
        self.push(step, state, reads, Target::slot(s.state, s.heads * s.head_len * s.state_len));
        self.each_token(2);
    }

    fn delta(&mut self, step: &Step, s: &DeltaScan) {
        let mut reads = vec![
            Texture::Vectors,
            Texture::Buffer(s.qkv.buffer),
            Texture::Buffer(s.alpha.buffer),
            Texture::Buffer(s.state),
            Texture::Buffer(s.beta.buffer),
        ];
        let out = program(
            "delta_out",
            &[],
            &[parts::DELTA_NET, parts::DELTA_OUT],
            &["vectors", "qkv", "alphas", "rows", "betas"],
        );
        let changes = Texture::Scratch(Scratch::Changes);
        let target = Target { others: [Some(changes), None, None], ..Target::rows(&s.out, EACH_TOKEN) };
        self.push(step, out, reads.clone(), target);
        reads[4] = changes;
        let state = program(
            "delta_state",
            &[],
            &[parts::DELTA_NET, parts::DELTA_STATE],
            &["vectors", "qkv", "alphas", "rows", "changes"],
        );
        self.push(step, state, reads, Target::slot(s.state, s.value_heads * s.value_len * s.key_len));
        self.each_token(2);
    }

    /// The last `count` draws alternate, token after token.
    fn each_token(&mut self, count: usize) {
        let first = self.out.len() - count;
        self.out[first..].iter_mut().for_each(|draw| draw.each_token = true);
    }

    fn gated_norm(&mut self, step: &Step, s: &GatedNorm) {
        let consts = [
            ("GATE_FIRST", Const::Bool(s.gate_first)),
            ("NORMED", Const::Bool(s.weight.is_some())),
            ("GROUPS", uint(s.groups)),
        ];
        let program = program("gated_norm", &consts, &[parts::GATED_NORM], &["vectors", "inputs", "gates"]);
        let reads = vec![Texture::Vectors, Texture::Buffer(s.input.buffer), Texture::Buffer(s.gate.buffer)];
        self.push(step, program, reads, Target::rows(&s.out, EACH_TOKEN));
    }

    fn route(&mut self, step: &Step, s: &Route) {
        let consts = [
            ("SIGMOID", Const::Bool(s.sigmoid)),
            ("BIASED", Const::Bool(s.bias.is_some())),
            ("USED", uint(s.used)),
        ];
        let program = program("route", &consts, &[parts::ROUTE], &["vectors", "logits"]);
        let target = Target::rows(&View { cols: 2 * s.used, ..s.out }, EACH_TOKEN);
        self.push(step, program, vec![Texture::Vectors, Texture::Buffer(s.logits.buffer)], target);
    }

    fn experts_up(&mut self, s: &ExpertsUp) {
        let mut s = s.clone();
        let mut input = Texture::Buffer(s.input.buffer);
        if let Some(norm) = s.norm.take() {
            s.input = self.normed(&s.input, norm);
            input = Texture::Scratch(Scratch::Normed);
        }
        let parts = [
            &weight_parts(self.layout, s.weight)[..],
            &[parts::OUTPUT_ROWS, parts::PRODUCT, parts::ROUTES, parts::ACTS, parts::EXPERTS_UP],
        ]
        .concat();
        let consts = [("HAS_BIAS", Const::Bool(s.bias.is_some())), act_const(Some(s.act))];
        let program = program("experts_up", &consts, &parts, &["weights", "vectors", "inputs", "routes"]);
        let reads = [Texture::Vectors, input, Texture::Buffer(s.route.buffer)];
        let target = Target::rows(&s.out, Count::Tokens { times: s.used as u32, per: 1 });
        self.push_shards(&Step::ExpertsUp(s), &program, &reads, target);
    }

    fn experts_down(&mut self, step: &Step, s: &ExpertsDown) {
        let parts = [
            &weight_parts(self.layout, s.weight)[..],
            &[parts::OUTPUT_ROWS, parts::PRODUCT, parts::ROUTES, parts::TWIN, parts::EXPERTS_DOWN],
        ]
        .concat();
        let consts = [("HAS_BIAS", Const::Bool(s.bias.is_some()))];
        let program =
            program("experts_down", &consts, &parts, &["weights", "vectors", "inputs", "routes", "old"]);
        let reads = [
            Texture::Vectors,
            Texture::Buffer(s.input.buffer),
            Texture::Buffer(s.route.buffer),
            Texture::Buffer(s.out.buffer),
        ];
        self.push_shards(step, &program, &reads, Target::in_place(&s.out, EACH_TOKEN));
    }

    fn pool(&mut self, step: &Step, s: &Pool) {
        let how = match s.how {
            Pooling::Mean => 0,
            Pooling::First => 1,
            Pooling::Last => 2,
        };
        let parts = [parts::TOKENS, parts::POOL_ROWS];
        let program = program("pool_rows", &[("HOW", Const::Int(how))], &parts, &["tokens", "rows"]);
        let reads = vec![Texture::Buffer(self.layout.tokens), Texture::Buffer(s.input.buffer)];
        self.push(step, program, reads, Target::rows(&s.out, Count::Outputs));
    }

    fn top(&mut self, step: &Step, s: &Top) {
        let top = program("pick_top", &[], &[parts::PICK_TOP], &["candidates"]);
        self.push(step, top, vec![Texture::Buffer(s.candidates)], whole(s.chosen, 1, Count::Outputs));
        let feed = program("feed", &[], &[parts::TWIN, parts::FEED], &["old", "chosen"]);
        let reads = vec![Texture::Buffer(s.tokens), Texture::Buffer(s.chosen)];
        let target = Target { twin: true, ..whole(s.tokens, crate::plan::TOKEN_WORDS, Count::Outputs) };
        self.push(step, feed, reads, target);
    }
}

/// The first words of a buffer, `each` a row.
fn whole(buffer: BufferId, each: usize, rows: Count) -> Target {
    let region = Region::Rows { offset: 0, stride: each, cols: each, rows };
    Target { texture: Texture::Buffer(buffer), others: [None; 3], region, twin: false }
}

fn program(
    kernel: &'static str,
    consts: &[(&'static str, Const)],
    parts: &[Part],
    samplers: &[&'static str],
) -> Program {
    Program {
        kernel,
        consts: consts.to_vec(),
        parts: parts.to_vec(),
        samplers: samplers.to_vec(),
        cells: false,
    }
}

impl Program {
    /// With the first `count` samplers.
    fn with(mut self, count: usize) -> Self {
        self.samplers.truncate(count);
        self
    }
}

/// What every shader that reads a weight begins with.
fn weight_parts(layout: &Layout, weight: WeightId) -> Vec<Part> {
    let mut all = vec![parts::PRODUCT_PARAMS, parts::WEIGHTS];
    all.extend(decode(layout.weights[weight.0].format));
    all
}

/// The constants of a cell of the KV cache.
fn cell_consts(kv: &Kv) -> [(&'static str, Const); 7] {
    let scales = kv.format.scale_words(kv.head_len);
    [
        ("PAGE", uint(PAGE_TOKENS)),
        ("CELLS", uint(kv.cells())),
        ("PER_WORD", uint(kv.format.values_per_word())),
        ("CODE_WORDS", uint(kv.format.code_words(kv.head_len))),
        ("SCALE_WORDS", uint(scales)),
        ("SCALE_ROW", uint(kv.scale_words())),
        ("RUNS", uint(if scales == 0 { 2 } else { 4 })),
    ]
}

fn cache_parts(format: CacheFormat) -> &'static [Part] {
    match format {
        CacheFormat::F32 => &[parts::CACHE_F32],
        CacheFormat::F16 => &[parts::CACHE_F16],
        CacheFormat::Q8_0 => &[parts::CACHE_Q8_0, parts::CACHE_BLOCKS],
        CacheFormat::Q4_0 => &[parts::CACHE_Q4_0, parts::CACHE_BLOCKS],
    }
}

fn store_parts(format: CacheFormat) -> &'static [Part] {
    match format {
        CacheFormat::F32 => &[parts::STORE_F32],
        CacheFormat::F16 => &[parts::STORE_F16],
        CacheFormat::Q8_0 => &[parts::STORE_Q8_0, parts::STORE_BLOCKS],
        CacheFormat::Q4_0 => &[parts::STORE_Q4_0, parts::STORE_BLOCKS],
    }
}
