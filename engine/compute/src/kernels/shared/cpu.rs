//! What kernels see on the CPU.

use std::ops::Range;

use wide::f32x4;

use super::allocated::vec_bytes;
use super::inputs::{Inputs, PANEL, input_bytes};
use super::shards::RemoteShards;
use super::tiles::{Tile, product_bytes, tile_bytes};
use crate::formats::Precision;
use crate::plan::{Layout, PAGE_TOKENS, State, Token};

/// What kernels see on the CPU.
#[derive(Debug)]
pub struct Cpu<'a> {
    /// Of the plan.
    pub layout: &'a Layout,
    /// The planes of each shard of each weight.
    pub weights: &'a [Vec<Vec<u8>>],
    /// All vectors of the model.
    pub vectors: &'a [f32],
    /// Activations, tables and the KV cache, by the plan's numbers.
    pub buffers: &'a mut [Vec<f32>],
    /// Of the slice.
    pub tokens: &'a mut [Token],
    /// Physical pages of the slice's sequences.
    pub pages: &'a [u32],
    /// Receives the ids that are chosen for output rows.
    pub chosen: &'a mut Vec<u32>,
    /// What changes from slice to slice.
    pub state: State,
    /// The shards of other threads.
    pub remote: Option<&'a mut (dyn RemoteShards + 'static)>,
    /// Kept from step to step.
    pub scratch: &'a mut Scratch,
}

impl Cpu<'_> {
    /// Where the pools hold `position` of a token's sequence: physical page * PAGE_TOKENS + place in it.
    pub fn place(&self, token: &Token, position: usize) -> usize {
        let page = self.pages[token.pages_first as usize + position / PAGE_TOKENS];
        page as usize * PAGE_TOKENS + position % PAGE_TOKENS
    }

    /// Notes what is chosen for an output row, which may become a token.
    pub fn choose(&mut self, row: usize, id: u32) {
        self.chosen.push(id);
        if self.state.feed == 1 {
            let token = self.tokens[self.state.out_first as usize + row];
            self.tokens[row] = Token { id, position: token.position + 1, end: token.end + 1, ..token };
        }
    }

    /// The tokens of the slice, sequence by sequence.
    pub fn sequences(&self) -> Vec<Range<usize>> {
        let tokens = &self.tokens[..self.state.tokens as usize];
        let mut first = 0;
        let spans = tokens.chunk_by(|a, b| a.pages_first == b.pages_first && a.position + 1 == b.position);
        let range = |span: &[Token]| {
            first += span.len();
            first - span.len()..first
        };
        spans.map(range).collect()
    }
}

/// Reused from step to step.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) inputs: Inputs,
    pub(crate) tile: Tile,
    pub(crate) products: [Vec<f32>; 2],
    pub(crate) choices: Vec<Choice>,
    pub(crate) rows: Vec<f32>,
    /// Inputs as other threads get them, and their outputs.
    pub(crate) sent: [Vec<f32>; 2],
    pub(crate) attention: Attention,
}

impl Scratch {
    /// What is allocated.
    pub fn bytes(&self) -> u64 {
        let vectors = [&self.products[0], &self.products[1], &self.rows, &self.sent[0], &self.sent[1]];
        vectors.iter().map(|v| vec_bytes(v)).sum::<u64>()
            + vec_bytes(&self.choices)
            + self.inputs.bytes()
            + self.tile.bytes()
            + self.attention.bytes()
    }
}

/// What [`Scratch`] comes to for slices of `slice` tokens.
pub fn working_bytes(layout: &Layout, slice: usize) -> usize {
    let precision = layout.options.precision;
    // Weights with and without codes use different parts.
    let largest = |has_codes: bool| {
        let weights = layout.weights.iter().filter(|w| w.format.products().is_some() == has_codes);
        weights.map(|w| input_bytes(w, precision, slice) + tile_bytes(w, precision)).max().unwrap_or(0)
    };
    let inputs = match precision {
        Precision::Exact => largest(true).max(largest(false)),
        Precision::Fast => largest(true) + largest(false),
    };
    // Scores of a panel, at most with all that is cached.
    let attention = size_of::<f32x4>() * PANEL * layout.options.context_tokens;
    inputs + product_bytes(slice) + attention
}

/// What attention reuses from step to step.
#[derive(Debug, Default)]
pub struct Attention {
    /// Queries, and what comes of them: `[head_len, vectors]`.
    pub queries: Vec<f32x4>,
    pub mixed: Vec<f32x4>,
    /// The positions that each query sees.
    pub seen: Vec<Range<usize>>,
    /// Scores, then weights: `[positions, vectors]`.
    pub scores: Vec<f32x4>,
    /// A page of keys or values of a head, where the cache does not hold them as f32.
    pub page: Vec<f32>,
}

impl Attention {
    /// What is allocated.
    pub fn bytes(&self) -> u64 {
        let vectors = [&self.queries, &self.mixed, &self.scores].map(vec_bytes);
        vectors.iter().sum::<u64>() + vec_bytes(&self.seen) + vec_bytes(&self.page)
    }
}

/// An expert that a token uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    pub expert: usize,
    pub token: usize,
    pub slot: usize,
}
