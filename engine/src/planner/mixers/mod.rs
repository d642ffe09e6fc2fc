//! How tokens of a sequence see each other. Each mixer is one file: the steps that it emits, and the state that a
//! sequence keeps for it besides the KV cache.

mod attention;
mod gated_delta;
mod mamba2;
mod short_conv;

use crate::models::Mixer;
use crate::plan::View;
use crate::planner::PlanError;
use crate::planner::builder::{Builder, Phase};

/// Values of state that one sequence keeps for a mixer, one entry per buffer.
pub fn state_lens(mixer: &Mixer) -> Vec<usize> {
    match mixer {
        Mixer::Attention(_) => Vec::new(),
        Mixer::ShortConv(m) => short_conv::state_lens(m),
        Mixer::Mamba2(m) => mamba2::state_lens(m),
        Mixer::GatedDelta(m) => gated_delta::state_lens(m),
    }
}

/// Emits the steps of layer `index`'s mixer, and of the attention beside it; returns the mixed rows, before the matrices
/// back to the residual stream.
pub(crate) fn emit(
    b: &mut Builder,
    phase: Phase,
    index: usize,
    x: View,
) -> Result<(View, Option<View>), PlanError> {
    let layer = &b.spec.layers[index];
    let mixed = match &layer.mixer {
        Mixer::Attention(m) => attention::emit(b, phase, index, layer, m, x),
        Mixer::ShortConv(m) => short_conv::emit(b, phase, index, layer, m, x),
        Mixer::Mamba2(m) => mamba2::emit(b, phase, index, layer, m, x),
        Mixer::GatedDelta(m) => gated_delta::emit(b, phase, index, layer, m, x),
    }?;
    let beside = match &layer.beside {
        Some(m) => Some(attention::emit(b, phase, index, layer, m, x)?),
        None => None,
    };
    Ok((mixed, beside))
}
