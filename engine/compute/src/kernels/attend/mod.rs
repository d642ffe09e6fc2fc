//! Attention: what queries make of the KV cache.

mod cpu;

#[cfg(feature = "webgl2")]
use super::shared::cell_blocks;
use super::shared::{Cpu, Kernel, cell_consts, vector_offset};
use crate::plan::{CacheFormat, HEAD_LEN_MAX, Kv, Layout, PAGE_TOKENS, VectorId, View, uniform};
use crate::shaders::{
    Access, Batch, Bound, Choice, Count, Dispatches, EACH_TOKEN, Grid, Part, Tuning, Variant, WG, bindings,
    consts, part, wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Draws, Program, Region, Scratch, Target, Texture, glsl_parts, uint};

/// out[t] = softmax(scale * q[t] K^T) V per head, over the cached positions that token `t` may see.
#[derive(Debug, Clone)]
pub struct Attend {
    /// `[tokens, heads * head_len]`.
    pub q: View,
    /// The layer's pools.
    pub kv: Kv,
    /// `[tokens, heads * head_len]`.
    pub out: View,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads.
    pub kv_heads: usize,
    /// Values per head.
    pub head_len: usize,
    /// Factor of the scores.
    pub scale: f32,
    /// Whether a token sees only itself and what came before.
    pub causal: bool,
    /// Causal: positions that a token sees, itself included. Else: how far it sees to either side.
    pub window: Option<usize>,
    /// Scores become cap * tanh(score / cap); 0 for none.
    pub cap: f32,
    /// Scores of nothing, one a head.
    pub sinks: Option<VectorId>,
    /// The row of q in which every head is followed by a gate: the output is multiplied by its sigmoid.
    pub gate: Option<View>,
    /// For one token at a time, `[tokens, heads, splits, head_len + 2]`: where workgroups that share what a token sees may
    /// leave their parts.
    pub parts: Option<View>,
}

impl Attend {
    /// The cached positions that the token at `position` sees, where `end` are cached.
    pub fn seen(&self, position: usize, end: usize) -> std::ops::Range<usize> {
        match (self.causal, self.window) {
            (true, None) => 0..position + 1,
            (true, Some(w)) => (position + 1).saturating_sub(w)..position + 1,
            (false, None) => 0..end,
            (false, Some(w)) => position.saturating_sub(w)..(position + w + 1).min(end),
        }
    }
}

uniform! {
    Params p at 0;
    /// Constants. A `window` of 0 is none.
    struct AttendParams {
        group: u32,
        kv_heads: u32,
        q_offset: u32,
        q_stride: u32,
        out_offset: u32,
        out_stride: u32,
        scale: f32,
        cap: f32,
        window: u32,
        gate_offset: u32,
        gate_stride: u32,
        scales: u32,
        sinks: u32,
        causal: u32,
        gated: u32,
        sunk: u32,
        tile_tokens: u32,
        pieces: u32,
        piece_heads: u32,
        splits: u32,
        head_len: u32,
    }
}

/// Threads of a workgroup of `kernels/attend/lanes.wgsl`: what a CPU computes at once.
const LANES: usize = 8;

/// Workgroup memory that every device has.
const SHARED_BYTES: usize = 16_384;

/// How the work is shared out. Both are right everywhere; they differ in speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `kernels/attend/lanes.wgsl`, this many queries a thread.
    Lanes(usize),
    /// `kernels/attend/tiles.wgsl`, this many queries a workgroup.
    Tiles {
        /// 4, 8 or 16.
        rows: usize,
        /// Several workgroups share what a query sees, and `kernels/attend/merge.wgsl` adds up.
        split: bool,
    },
}

impl Shape {
    /// The shape for one token at a time or for many, and for threads that are alone or not.
    fn of(s: &Attend, phase: Batch, alone: bool) -> Shape {
        match (phase, alone) {
            (Batch::One | Batch::Few, true) => Shape::Lanes(1),
            (Batch::Many, true) => Shape::Lanes(4),
            (Batch::One, false) => {
                Shape::Tiles { rows: few_rows(s.heads / s.kv_heads), split: s.parts.is_some() }
            }
            (_, false) => Shape::Tiles { rows: many_rows(s.head_len), split: false },
        }
    }

    /// Queries of a workgroup.
    fn rows(self) -> usize {
        match self {
            Shape::Lanes(each) => each * LANES,
            Shape::Tiles { rows, .. } => rows,
        }
    }
}

/// Rows of a tile for one token: heads that share their keys, four to a row of threads at least.
fn few_rows(group: usize) -> usize {
    if group <= 4 { 4 } else { 8 }
}

/// Rows of a tile for many tokens: as many as leave room for the keys.
fn many_rows(head_len: usize) -> usize {
    if chunk_fours(head_len, 16) >= 8 { 16 } else { 8 }
}

/// Fours of a key that are staged in workgroup memory at once.
fn chunk_fours(head_len: usize, rows: usize) -> usize {
    let fours = head_len.div_ceil(4);
    let bytes = |chunk: usize| 16 * (rows * fours + PAGE_TOKENS * (chunk + 1) + 4 * PAGE_TOKENS);
    [16, 8].into_iter().find(|&chunk| bytes(chunk) <= SHARED_BYTES).unwrap_or(4)
}

const PARAMS: Part = Part { path: "kernels/attend", text: AttendParams::WGSL };
const COMMON: Part = part!("kernels/attend/common.wgsl");

fn variant(cache: CacheFormat, head_len: usize, shape: Shape) -> Variant {
    const READ: Access = Access::Read;
    let (kernel, part, own) = match shape {
        Shape::Lanes(each) => {
            let own = vec![("LANES", format!("{LANES}u")), ("EACH", format!("{each}u"))];
            ("attend_lanes", part!("kernels/attend/lanes.wgsl"), own)
        }
        Shape::Tiles { rows, split } => {
            let chunk = ("CHUNK", format!("{}u", chunk_fours(head_len, rows)));
            let own = vec![("ROWS", format!("{rows}u")), chunk, ("SPLIT", split.to_string())];
            ("attend_tiles", part!("kernels/attend/tiles.wgsl"), own)
        }
    };
    Variant {
        kernel,
        consts: [consts([]), own, cell_consts(cache, head_len).to_vec()].concat(),
        parts: [
            &[PARAMS, parts::STATE, parts::TOKENS, COMMON, parts::CELLS],
            parts::cache_load(cache, head_len),
            &[part!("kernels/attend/queries.wgsl"), part],
        ]
        .concat(),
        bindings: bindings(&[READ, READ, READ, READ, READ, Access::Write, READ, READ]),
    }
}

fn merge_variant() -> Variant {
    const READ: Access = Access::Read;
    Variant {
        kernel: "attend_merge",
        consts: consts([("PAGE", format!("{PAGE_TOKENS}u"))]),
        parts: vec![PARAMS, parts::STATE, parts::TOKENS, COMMON, part!("kernels/attend/merge.wgsl")],
        bindings: bindings(&[READ, READ, Access::Write, READ, READ]),
    }
}

/// Tokens of a tile, pieces of a group, and heads of a piece: so that most rows of a tile have a query.
fn tiling(group: usize, rows: usize, batch: Batch) -> (usize, usize, usize) {
    let fewest = group.div_ceil(rows);
    if batch == Batch::One {
        return (1, fewest, group.div_ceil(fewest));
    }
    let tiling = |pieces: usize| {
        let heads = group.div_ceil(pieces);
        (rows / heads, pieces, heads)
    };
    // Queries per tile, larger numbers first so that fewer pieces win among equals.
    let filled = |&(tokens, pieces, _): &(usize, usize, usize)| 1000 * tokens * group / pieces;
    (fewest..=group).rev().map(tiling).max_by_key(filled).unwrap_or((1, group, 1))
}

impl Attend {
    /// Constants that no shape changes.
    fn params(&self, layout: &Layout) -> AttendParams {
        AttendParams {
            group: (self.heads / self.kv_heads) as u32,
            kv_heads: self.kv_heads as u32,
            q_offset: self.q.offset as u32,
            q_stride: self.q.stride as u32,
            out_offset: self.out.offset as u32,
            out_stride: self.out.stride as u32,
            scale: self.scale,
            cap: self.cap,
            window: self.window.unwrap_or(0) as u32,
            gate_offset: self.gate.map_or(0, |g| g.offset as u32),
            gate_stride: self.gate.map_or(0, |g| g.stride as u32),
            scales: self.kv.first_scale() as u32,
            sinks: self.sinks.map_or(0, |v| vector_offset(layout, v)),
            causal: self.causal.into(),
            gated: self.gate.is_some().into(),
            sunk: self.sinks.is_some().into(),
            head_len: self.head_len as u32,
            ..Default::default()
        }
    }
}

impl Kernel for Attend {
    fn variants() -> Vec<Variant> {
        let mut all = vec![merge_variant()];
        for cache in CacheFormat::ALL {
            for head_len in (2..=HEAD_LEN_MAX).step_by(2) {
                let tiles = |rows, split| Shape::Tiles { rows, split };
                let many = tiles(many_rows(head_len), false);
                let shapes = [Shape::Lanes(1), Shape::Lanes(4), tiles(4, true), tiles(8, true), many];
                all.extend(shapes.map(|shape| variant(cache, head_len, shape)));
            }
        }
        all
    }

    fn choices(tuning: &Tuning) -> Vec<Choice> {
        let shapes = [true, false].map(|attends_alone| Tuning { attends_alone, ..*tuning }).to_vec();
        vec![Choice { step: "attend", batches: &[Batch::Many, Batch::Few, Batch::One], shapes }]
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let shape = Shape::of(self, to.batch, to.tuning.attends_alone);
        let group = self.heads / self.kv_heads;
        let (tile_tokens, pieces, piece_heads) = tiling(group, shape.rows(), to.batch);
        let split = self.parts.filter(|_| matches!(shape, Shape::Tiles { split: true, .. }));
        let splits = split.map_or(1, |p| p.cols / self.heads / (self.head_len + 2));
        let out = split.unwrap_or(self.out);
        let params = AttendParams {
            out_offset: out.offset as u32,
            out_stride: out.stride as u32,
            tile_tokens: tile_tokens as u32,
            pieces: pieces as u32,
            piece_heads: piece_heads as u32,
            splits: splits as u32,
            ..self.params(to.layout)
        };
        let gates = self.gate.map_or(Bound::Vectors, |g| Bound::Buffer(g.buffer));
        let tokens = Bound::Buffer(to.layout.tokens);
        let bound = [
            tokens,
            Bound::Buffer(to.layout.pages),
            Bound::Buffer(self.q.buffer),
            Bound::Buffer(self.kv.keys),
            Bound::Buffer(self.kv.values),
            Bound::Buffer(out.buffer),
            gates,
            Bound::Vectors,
        ];
        let grid = Grid {
            x: Count::Tokens { times: 1, per: tile_tokens as u32 },
            y: Count::Fixed((self.kv_heads * pieces * splits) as u32),
        };
        to.push(variant(self.kv.format, self.head_len, shape), params.bytes(), &bound, grid);
        if let Some(split) = split {
            let params = AttendParams {
                q_offset: split.offset as u32,
                q_stride: split.stride as u32,
                out_offset: self.out.offset as u32,
                out_stride: self.out.stride as u32,
                ..params
            };
            let values = (self.heads * self.head_len) as u32;
            let bound =
                [tokens, Bound::Buffer(split.buffer), Bound::Buffer(self.out.buffer), gates, Bound::Vectors];
            let grid = Grid { x: Count::Fixed(values.div_ceil(WG)), y: EACH_TOKEN };
            to.push(merge_variant(), params.bytes(), &bound, grid);
        }
    }

    /// Scores of all positions to scratch, then what they weigh.
    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/attend", text: AttendParams::GLSL };
        let positions = to.layout.options.context_tokens.next_multiple_of(PAGE_TOKENS);
        let mut consts = vec![("POSITIONS", uint(positions))];
        consts.extend(cell_blocks(&self.kv));
        consts.push(("HEAD", uint(self.head_len)));
        let common = [PARAMS, glsl_parts::TOKENS, glsl_parts::CELLS, part!("kernels/attend/common.glsl")];
        let common = [&common[..], glsl_parts::cache_load(self.kv.format)].concat();
        let params = self.params(to.layout).bytes();
        let scores = Texture::Scratch(Scratch::Scores);
        let region = Region::Rows {
            offset: 0,
            stride: positions,
            cols: positions,
            rows: Count::Tokens { times: self.heads as u32, per: 1 },
        };
        let parts = [&common[..], &[part!("kernels/attend/scores.glsl")]].concat();
        let program = Program::new("attend_scores", &consts, &parts, &["tokens", "pages", "q", "keys"]);
        let records = [to.layout.tokens, to.layout.pages].map(Texture::Buffer);
        let reads = [records[0], records[1], Texture::Buffer(self.q.buffer), Texture::Buffer(self.kv.keys)];
        let target = Target { texture: scores, others: [None; 3], region, twin: false };
        to.push(program, params.clone(), &reads, target);
        let parts = [&common[..], &[part!("kernels/attend/mix.glsl")]].concat();
        let samplers = ["tokens", "pages", "vectors", "scores", "values", "gates"];
        let program = Program::new("attend_mix", &consts, &parts, &samplers);
        let gates = self.gate.map_or(Texture::Vectors, |g| Texture::Buffer(g.buffer));
        let values = Texture::Buffer(self.kv.values);
        let reads = [records[0], records[1], Texture::Vectors, scores, values, gates];
        to.push(program, params, &reads, Target::rows(&self.out, EACH_TOKEN));
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::attend(cpu, self);
    }
}
