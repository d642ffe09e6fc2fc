//! One of the candidates by chance: the second half of a choice by chance.

mod cpu;

use super::shared::{ChoiceParams, Cpu, Kernel, ROW_GRID, choice_variant};
use crate::plan::{BufferId, View};
#[cfg(feature = "webgl2")]
use crate::shaders::Draws;
use crate::shaders::{Access, Bound, Dispatches, Variant, part, wgsl_parts as parts};

/// chosen[row] = one of the candidates, sampled as the row's [`crate::plan::Sampling`] says; it goes into the history, and on as
/// in [`super::PickTop`].
#[derive(Debug, Clone)]
pub struct Sample {
    /// What the candidates are of, where an executor samples from all of it.
    pub logits: View,
    /// A [`crate::plan::Sampling`] a row.
    pub sampling: BufferId,
    /// Of [`super::Shortlist`].
    pub candidates: BufferId,
    /// Of a row.
    pub chunks: usize,
    /// One u32 a row.
    pub chosen: BufferId,
    /// Records of tokens.
    pub tokens: BufferId,
}

fn variant() -> Variant {
    let access = [Access::Read, Access::Write, Access::Write, Access::Write];
    let parts =
        [parts::TOKENS, parts::FEED, parts::SAMPLING, parts::LARGEST, part!("kernels/sample/sample.wgsl")];
    choice_variant("sample", ChoiceParams::WGSL, &parts, &access)
}

impl Kernel for Sample {
    fn variants() -> Vec<Variant> {
        vec![variant()]
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let bound = [self.candidates, self.chosen, self.tokens, self.sampling].map(Bound::Buffer);
        to.push(variant(), ChoiceParams { chunks: self.chunks as u32 }.bytes(), &bound, ROW_GRID);
    }

    /// The host samples: see `Device::samples`.
    #[cfg(feature = "webgl2")]
    fn draw(&self, _: &mut Draws) {}

    fn run(&self, cpu: &mut Cpu) {
        cpu::sample(cpu, self);
    }
}
