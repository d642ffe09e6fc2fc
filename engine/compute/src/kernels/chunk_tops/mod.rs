//! The largest logit of each chunk of the vocabulary: the first half of a greedy choice.

mod cpu;

use super::shared::{ChunkParams, Cpu, Kernel, choice_variant, chunk_grid, chunk_params};
use crate::plan::{BufferId, View};
use crate::shaders::{Access, Bound, Dispatches, Part, Variant, part};
#[cfg(feature = "webgl2")]
use crate::{
    plan::CHUNK,
    shaders::{Count, Draws, Program, Target, Texture, uint},
};

/// candidates[row][chunk] = key and id of the largest logit of a chunk of each output row, the lowest id among equals.
#[derive(Debug, Clone)]
pub struct ChunkTops {
    /// `[outputs, vocab]`.
    pub logits: View,
    /// `[outputs, chunks]` pairs.
    pub candidates: BufferId,
    /// Chunks of [`crate::plan::CHUNK`] ids.
    pub chunks: usize,
}

fn variant() -> Variant {
    const WGSL: Part = part!("kernels/chunk_tops/chunk_tops.wgsl");
    choice_variant("chunk_tops", ChunkParams::WGSL, &[WGSL], &[Access::Read, Access::Write])
}

impl Kernel for ChunkTops {
    fn variants() -> Vec<Variant> {
        vec![variant()]
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let bound = [self.logits.buffer, self.candidates].map(Bound::Buffer);
        to.push(variant(), chunk_params(&self.logits, self.chunks), &bound, chunk_grid(self.chunks));
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/shared/choices", text: ChunkParams::GLSL };
        let parts = [PARAMS, part!("kernels/chunk_tops/chunk_tops.glsl")];
        let program = Program::new("chunk_tops", &[("CHUNK", uint(CHUNK))], &parts, &["logits"]);
        let target = Target::whole(self.candidates, 2 * self.chunks, Count::Outputs);
        let params = chunk_params(&self.logits, self.chunks);
        to.push(program, params, &[Texture::Buffer(self.logits.buffer)], target);
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::chunk_tops(cpu, self);
    }
}
