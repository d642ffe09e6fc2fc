//! Dispatches of the choice of a token: chunks of the vocabulary first, then one of what they found.

use super::link::{Access, Variant};
use super::params::{ChoiceParams, ChunkParams};
use super::parts::{self, Part};
use super::step::{ChunkTops, Draw, Shortlist, Top};
use super::table::{Bound, Count, Dispatch, Grid, ONE, bindings, consts};
use crate::plan::{CHUNK, SHORTLIST, STEPS_MAX, View};

/// Every variant that a model can ask for.
pub fn variants() -> Vec<Variant> {
    vec![chunk_tops_variant(), top_variant(), shortlist_variant(), draw_variant()]
}

fn variant(kernel: &'static str, parts: &[Part], access: &[Access]) -> Variant {
    Variant {
        kernel,
        consts: consts([
            ("CHUNK", format!("{CHUNK}u")),
            ("SHORTLIST", format!("{SHORTLIST}u")),
            ("STEPS", format!("{STEPS_MAX}u")),
        ]),
        parts: [&[parts::COMMON, parts::KEYS], parts].concat(),
        bindings: bindings(access),
    }
}

fn chunk_params(logits: &View, chunks: usize) -> Vec<u8> {
    let (in_offset, in_stride) = (logits.offset as u32, logits.stride as u32);
    let (cols, chunks) = (logits.cols as u32, chunks as u32);
    bytemuck::bytes_of(&ChunkParams { in_offset, in_stride, cols, chunks }).to_vec()
}

fn choice_params(chunks: usize) -> Vec<u8> {
    bytemuck::bytes_of(&ChoiceParams { chunks: chunks as u32, pad: [0; 3] }).to_vec()
}

fn chunk_grid(chunks: usize) -> Grid {
    Grid { x: Count::Fixed(chunks as u32), y: Count::Outputs }
}

const ROW_GRID: Grid = Grid { x: Count::Outputs, y: ONE };

fn chunk_tops_variant() -> Variant {
    variant("chunk_tops", &[parts::CHUNK_TOPS], &[Access::Read, Access::Write])
}

pub fn chunk_tops(s: &ChunkTops) -> Dispatch {
    Dispatch {
        variant: chunk_tops_variant(),
        params: chunk_params(&s.logits, s.chunks),
        bound: vec![Bound::Buffer(s.logits.buffer), Bound::Buffer(s.candidates)],
        grid: chunk_grid(s.chunks),
    }
}

fn top_variant() -> Variant {
    let access = [Access::Read, Access::Write, Access::Write];
    variant("pick_top", &[parts::TOKENS, parts::FEED, parts::PICK_TOP], &access)
}

pub fn top(s: &Top) -> Dispatch {
    let buffers = [s.candidates, s.chosen, s.tokens];
    Dispatch {
        variant: top_variant(),
        params: choice_params(s.chunks),
        bound: buffers.map(Bound::Buffer).to_vec(),
        grid: ROW_GRID,
    }
}

fn shortlist_variant() -> Variant {
    let access = [Access::Write, Access::Write, Access::Read];
    variant("shortlist", &[parts::SAMPLING, parts::LARGEST, parts::SHORTLIST], &access)
}

pub fn shortlist(s: &Shortlist) -> Dispatch {
    let buffers = [s.logits.buffer, s.candidates, s.sampling];
    Dispatch {
        variant: shortlist_variant(),
        params: chunk_params(&s.logits, s.chunks),
        bound: buffers.map(Bound::Buffer).to_vec(),
        grid: chunk_grid(s.chunks),
    }
}

fn draw_variant() -> Variant {
    let access = [Access::Read, Access::Write, Access::Write, Access::Write];
    let own = [parts::TOKENS, parts::FEED, parts::SAMPLING, parts::LARGEST, parts::DRAW];
    variant("draw", &own, &access)
}

pub fn draw(s: &Draw) -> Dispatch {
    let buffers = [s.candidates, s.chosen, s.tokens, s.sampling];
    Dispatch {
        variant: draw_variant(),
        params: choice_params(s.chunks),
        bound: buffers.map(Bound::Buffer).to_vec(),
        grid: ROW_GRID,
    }
}
