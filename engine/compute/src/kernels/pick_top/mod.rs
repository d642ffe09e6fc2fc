//! The largest of what the chunks gave: the second half of a greedy choice.

use super::shared::{ChoiceParams, Cpu, Kernel, ROW_GRID, choice_variant};
use crate::plan::BufferId;
use crate::shaders::{Access, Bound, Dispatches, Variant, part, wgsl_parts as parts};
#[cfg(feature = "webgl2")]
use crate::{
    plan::TOKEN_WORDS,
    shaders::{Count, Draws, Part, Program, Target, Texture, glsl_parts},
};

/// chosen[row] = the id of the largest candidate. Where the run goes on from here, it becomes the id of token `row`, at
/// the position behind.
#[derive(Debug, Clone)]
pub struct PickTop {
    /// Of [`super::ChunkTops`].
    pub candidates: BufferId,
    /// Of a row.
    pub chunks: usize,
    /// One u32 a row.
    pub chosen: BufferId,
    /// Records of tokens.
    pub tokens: BufferId,
}

fn variant() -> Variant {
    let parts = [parts::TOKENS, parts::FEED, part!("kernels/pick_top/pick_top.wgsl")];
    choice_variant("pick_top", ChoiceParams::WGSL, &parts, &[Access::Read, Access::Write, Access::Write])
}

impl PickTop {
    fn params(&self) -> ChoiceParams {
        ChoiceParams { chunks: self.chunks as u32 }
    }
}

impl Kernel for PickTop {
    fn variants() -> Vec<Variant> {
        vec![variant()]
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let bound = [self.candidates, self.chosen, self.tokens].map(Bound::Buffer);
        to.push(variant(), self.params().bytes(), &bound, ROW_GRID);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/shared/choices", text: ChoiceParams::GLSL };
        const GLSL: Part = part!("kernels/pick_top/pick_top.glsl");
        let top = Program::new("pick_top", &[], &[PARAMS, GLSL], &["candidates"]);
        let target = Target::whole(self.chosen, 1, Count::Outputs);
        to.push(top, self.params().bytes(), &[Texture::Buffer(self.candidates)], target);
        // What is chosen becomes a token where the run goes on from here.
        let parts = [glsl_parts::beside(true), part!("kernels/pick_top/feed.glsl")];
        let feed = Program::new("feed", &[], &parts, &["old", "chosen"]);
        let target = Target { twin: true, ..Target::whole(self.tokens, TOKEN_WORDS, Count::Outputs) };
        let reads = [self.tokens, self.chosen].map(Texture::Buffer);
        to.push(feed, self.params().bytes(), &reads, target);
    }

    /// Done by [`super::ChunkTops`], which sees all chunks.
    fn run(&self, _: &mut Cpu) {}
}
