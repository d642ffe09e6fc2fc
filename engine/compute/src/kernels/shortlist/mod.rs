//! The largest logits of each chunk, after penalties: the first half of a choice by chance.

use super::shared::{ChunkParams, Cpu, Kernel, choice_variant, chunk_grid, chunk_params};
use crate::plan::{BufferId, View};
#[cfg(feature = "webgl2")]
use crate::shaders::Draws;
use crate::shaders::{Access, Bound, Dispatches, Variant, part, wgsl_parts as parts};

/// Penalises the logits of what is in a row's history, then candidates[row][chunk] = the largest of a chunk, as many as
/// [`crate::plan::SHORTLIST`].
#[derive(Debug, Clone)]
pub struct Shortlist {
    /// `[outputs, vocab]`; changed by the penalty.
    pub logits: View,
    /// A [`crate::plan::Sampling`] a row.
    pub sampling: BufferId,
    /// `[outputs, chunks, SHORTLIST]` pairs of key and id.
    pub candidates: BufferId,
    /// Chunks of [`crate::plan::CHUNK`] ids.
    pub chunks: usize,
}

fn variant() -> Variant {
    let parts = [parts::SAMPLING, parts::LARGEST, part!("kernels/shortlist/shortlist.wgsl")];
    choice_variant("shortlist", ChunkParams::WGSL, &parts, &[Access::Write, Access::Write, Access::Read])
}

impl Kernel for Shortlist {
    fn variants() -> Vec<Variant> {
        vec![variant()]
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let bound = [self.logits.buffer, self.candidates, self.sampling].map(Bound::Buffer);
        to.push(variant(), chunk_params(&self.logits, self.chunks), &bound, chunk_grid(self.chunks));
    }

    /// The host samples: see `Device::samples`.
    #[cfg(feature = "webgl2")]
    fn draw(&self, _: &mut Draws) {}

    /// Done by [`super::Sample`], which has all logits at hand.
    fn run(&self, _: &mut Cpu) {}
}
