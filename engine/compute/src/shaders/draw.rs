//! Draw calls of WebGL2: which program, which constants, which textures, which texels. A draw call makes every word of a
//! view, four a fragment.

use std::ops::Range;

use super::dispatch::{ALWAYS, Count};
use super::glsl::{Const, Program};
use crate::plan::{BufferId, Kv, Layout, View, WeightId};

/// One draw call, static but for how many rows it makes.
#[derive(Debug, Clone)]
pub struct DrawCall {
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
pub(crate) const MANY: u32 = 3;

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

impl Region {
    /// Rows of a view.
    pub fn rows(view: &View, rows: Count) -> Self {
        Region::Rows { offset: view.offset, stride: view.stride, cols: view.cols, rows }
    }
}

impl Target {
    /// Rows of a view.
    pub fn rows(view: &View, rows: Count) -> Self {
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
    pub fn in_place(view: &View, rows: Count) -> Self {
        let offset = view.offset - view.offset % view.stride;
        let region = Region::Rows { offset, stride: view.stride, cols: view.stride, rows };
        Target { region, twin: true, ..Target::rows(view, rows) }
    }

    /// Rows, or whole rows in the twin.
    pub fn rows_or_twin(view: &View, rows: Count, twin: bool) -> Self {
        if twin { Target::in_place(view, rows) } else { Target::rows(view, rows) }
    }

    /// The slot of the sequence, in the twin.
    pub fn slot(state: BufferId, words: usize) -> Self {
        Target {
            texture: Texture::Buffer(state),
            others: [None; 3],
            region: Region::Slot { words },
            twin: true,
        }
    }

    /// The first words of a buffer, `each` a row.
    pub fn whole(buffer: BufferId, each: usize, rows: Count) -> Target {
        let region = Region::Rows { offset: 0, stride: each, cols: each, rows };
        Target { texture: Texture::Buffer(buffer), others: [None; 3], region, twin: false }
    }
}

/// Every scratch texture that a list of draws makes, and its words.
pub fn scratch_words(layout: &Layout, draws: &[DrawCall]) -> Vec<(Scratch, usize)> {
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

/// A constant of a program.
pub(crate) fn uint(v: usize) -> Const {
    Const::Uint(v as u32)
}

/// A constant of a program.
pub(crate) fn int(v: u32) -> Const {
    Const::Int(v as i32)
}

/// The draw calls of a list of steps while they are made.
pub struct Draws<'a> {
    /// Where everything lies.
    pub layout: &'a Layout,
    /// What has been made.
    pub list: Vec<DrawCall>,
}

impl Draws<'_> {
    /// Adds one.
    pub fn push(&mut self, program: Program, params: Vec<u8>, reads: &[Texture], target: Target) {
        let reads = reads.to_vec();
        self.list.push(DrawCall { program, params, reads, target, each_token: false, tokens: ALWAYS });
    }

    /// The last `count` alternate, token after token.
    pub fn each_token(&mut self, count: usize) {
        let first = self.list.len() - count;
        self.list[first..].iter_mut().for_each(|draw| draw.each_token = true);
    }
}
