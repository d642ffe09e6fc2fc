//! What the steps that choose a token have in common: chunks of the vocabulary first, then one of what they found.

use crate::plan::{CHUNK, SHORTLIST, STEPS_MAX, View, uniform};
use crate::shaders::{Access, Count, Grid, ONE, Part, Variant, bindings, consts, wgsl_parts as parts};

uniform! {
    Params p at 0;
    /// Constants of what looks through chunks.
    pub(crate) struct ChunkParams {
        in_offset: u32,
        in_stride: u32,
        cols: u32,
        chunks: u32,
    }
}

uniform! {
    Params p at 0;
    /// Constants of what chooses among what chunks gave.
    pub(crate) struct ChoiceParams {
        chunks: u32,
    }
}

/// The shader of such a step.
pub(crate) fn choice_variant(
    kernel: &'static str,
    params: &'static str,
    own: &[Part],
    access: &[Access],
) -> Variant {
    let params = Part { path: "kernels/shared/choices", text: params };
    Variant {
        kernel,
        consts: consts([
            ("CHUNK", format!("{CHUNK}u")),
            ("SHORTLIST", format!("{SHORTLIST}u")),
            ("STEPS", format!("{STEPS_MAX}u")),
        ]),
        parts: [&[params, parts::STATE, parts::KEYS], own].concat(),
        bindings: bindings(access),
    }
}

/// Constants for the chunks of these logits.
pub(crate) fn chunk_params(logits: &View, chunks: usize) -> Vec<u8> {
    let (in_offset, in_stride) = (logits.offset as u32, logits.stride as u32);
    let (cols, chunks) = (logits.cols as u32, chunks as u32);
    ChunkParams { in_offset, in_stride, cols, chunks }.bytes()
}

/// A workgroup for each chunk of each output row.
pub(crate) fn chunk_grid(chunks: usize) -> Grid {
    Grid { x: Count::Fixed(chunks as u32), y: Count::Outputs }
}

/// A workgroup for each output row.
pub(crate) const ROW_GRID: Grid = Grid { x: Count::Outputs, y: ONE };
