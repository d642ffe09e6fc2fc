//! Dispatches of attention: what queries make of the cache.

use super::attention::cell_consts;
use super::link::{Access, Variant};
use super::params::AttendParams;
use super::parts::{self, Part};
use super::step::Attend;
use super::table::{Bound, Count, Dispatch, EACH_TOKEN, Grid, Phase, WG, bindings, consts, vector_offset};
use crate::plan::{CacheFormat, HEAD_LEN_MAX, Layout, PAGE_TOKENS};

/// Threads of a workgroup of `kernel/attend_lanes.wgsl`: what a CPU computes at once.
const LANES: usize = 8;

/// Workgroup memory that every device has.
const SHARED_BYTES: usize = 16_384;

/// How the work is shared out. Both are right everywhere; they differ in speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `kernel/attend_lanes.wgsl`, this many queries a thread.
    Lanes(usize),
    /// `kernel/attend_tiles.wgsl`, this many queries a workgroup.
    Tiles {
        /// 4, 8 or 16.
        rows: usize,
        /// Several workgroups share what a query sees, and `kernel/attend_merge.wgsl` adds up.
        split: bool,
    },
}

impl Shape {
    /// The shape for one token at a time or for many, on a GPU or on one that is emulated.
    fn of(s: &Attend, phase: Phase, software: bool) -> Shape {
        match (phase, software) {
            (Phase::One | Phase::Few, true) => Shape::Lanes(1),
            (Phase::Many, true) => Shape::Lanes(4),
            (Phase::One, false) => {
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
    let bytes = |chunk: usize| 16 * (rows * fours + PAGE_TOKENS * (chunk + 1)) + 4 * PAGE_TOKENS * rows;
    [16, 8].into_iter().find(|&chunk| bytes(chunk) <= SHARED_BYTES).unwrap_or(4)
}

/// Every variant that a model can ask for.
pub fn variants() -> Vec<Variant> {
    let mut all = vec![merge_variant()];
    for (cache, head) in
        CacheFormat::ALL.into_iter().flat_map(|cache| (2..=HEAD_LEN_MAX).step_by(2).map(move |h| (cache, h)))
    {
        let tiles = |rows, split| Shape::Tiles { rows, split };
        let shapes =
            [Shape::Lanes(1), Shape::Lanes(4), tiles(4, true), tiles(8, true), tiles(many_rows(head), false)];
        all.extend(shapes.map(|shape| variant(cache, head, shape)));
    }
    all
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

fn variant(cache: CacheFormat, head_len: usize, shape: Shape) -> Variant {
    let (kernel, part, own) = match shape {
        Shape::Lanes(each) => {
            let own = vec![("LANES", format!("{LANES}u")), ("EACH", format!("{each}u"))];
            ("attend_lanes", parts::ATTEND_LANES, own)
        }
        Shape::Tiles { rows, split } => {
            let chunk = ("CHUNK", format!("{}u", chunk_fours(head_len, rows)));
            let own = vec![("ROWS", format!("{rows}u")), chunk, ("SPLIT", split.to_string())];
            ("attend_tiles", parts::ATTEND_TILES, own)
        }
    };
    let read = Access::Read;
    Variant {
        kernel,
        consts: [consts([]), own, cell_consts(cache, head_len).to_vec()].concat(),
        parts: [
            &[parts::COMMON, parts::TOKENS, parts::ATTENTION, parts::CELLS],
            cache_parts(cache, head_len),
            &[parts::QUERIES, part],
        ]
        .concat(),
        bindings: bindings(&[read, read, read, read, read, Access::Write, read, read]),
    }
}

fn merge_variant() -> Variant {
    let read = Access::Read;
    Variant {
        kernel: "attend_merge",
        consts: consts([("PAGE", format!("{PAGE_TOKENS}u"))]),
        parts: vec![parts::COMMON, parts::TOKENS, parts::ATTENTION, parts::ATTEND_MERGE],
        bindings: bindings(&[read, read, Access::Write, read, read]),
    }
}

/// Tokens of a tile, pieces of a group, and heads of a piece: so that most rows of a tile have a query.
fn tiling(group: usize, rows: usize, phase: Phase) -> (usize, usize, usize) {
    let fewest = group.div_ceil(rows);
    if phase == Phase::One {
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

pub fn attend(layout: &Layout, s: &Attend, phase: Phase, software: bool, out: &mut Vec<Dispatch>) {
    let shape = Shape::of(s, phase, software);
    let group = s.heads / s.kv_heads;
    let (tile_tokens, pieces, piece_heads) = tiling(group, shape.rows(), phase);
    let parts = s.parts.filter(|_| matches!(shape, Shape::Tiles { split: true, .. }));
    let splits = parts.map_or(1, |p| p.cols / s.heads / (s.head_len + 2));
    let to = parts.unwrap_or(s.out);
    let params = AttendParams {
        group: group as u32,
        kv_heads: s.kv_heads as u32,
        q_offset: s.q.offset as u32,
        q_stride: s.q.stride as u32,
        out_offset: to.offset as u32,
        out_stride: to.stride as u32,
        scale: s.scale,
        cap: s.cap,
        window: s.window.unwrap_or(0) as u32,
        gate_offset: s.gate.map_or(0, |g| g.offset as u32),
        gate_stride: s.gate.map_or(0, |g| g.stride as u32),
        scales: s.kv.first_scale() as u32,
        sinks: s.sinks.map_or(0, |v| vector_offset(layout, v)),
        causal: s.causal.into(),
        gated: s.gate.is_some().into(),
        sunk: s.sinks.is_some().into(),
        tile_tokens: tile_tokens as u32,
        pieces: pieces as u32,
        piece_heads: piece_heads as u32,
        splits: splits as u32,
        head_len: s.head_len as u32,
        pad: [0; 3],
    };
    let gates = s.gate.map_or(Bound::Vectors, |g| Bound::Buffer(g.buffer));
    let tokens = Bound::Buffer(layout.tokens);
    out.push(Dispatch {
        variant: variant(s.kv.format, s.head_len, shape),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![
            tokens,
            Bound::Buffer(layout.pages),
            Bound::Buffer(s.q.buffer),
            Bound::Buffer(s.kv.keys),
            Bound::Buffer(s.kv.values),
            Bound::Buffer(to.buffer),
            gates,
            Bound::Vectors,
        ],
        grid: Grid {
            x: Count::Tokens { times: 1, per: tile_tokens as u32 },
            y: Count::Fixed((s.kv_heads * pieces * splits) as u32),
        },
    });
    if let Some(parts) = parts {
        let params = AttendParams {
            q_offset: parts.offset as u32,
            q_stride: parts.stride as u32,
            out_offset: s.out.offset as u32,
            out_stride: s.out.stride as u32,
            ..params
        };
        let values = (s.heads * s.head_len) as u32;
        out.push(Dispatch {
            variant: merge_variant(),
            params: bytemuck::bytes_of(&params).to_vec(),
            bound: vec![
                tokens,
                Bound::Buffer(parts.buffer),
                Bound::Buffer(s.out.buffer),
                gates,
                Bound::Vectors,
            ],
            grid: Grid { x: Count::Fixed(values.div_ceil(WG)), y: EACH_TOKEN },
        });
    }
}
