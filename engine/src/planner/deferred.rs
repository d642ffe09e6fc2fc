//! Norms behind products, at decode. `x += norm(y)` would be a dispatch of its own. Instead the product that reads the
//! stream next makes the sum on its way: every workgroup for itself, and the first one writes it to another buffer, because
//! the others still read the old one. So the stream changes sides between two buffers.

use crate::kernels::Sum;
use crate::models::{Layer, Mixer, ModelSpec, Norm};
use crate::plan::{NormKind, VectorId, View};

/// A sum that waits for its reader, and the side of the stream that is idle.
#[derive(Default)]
pub(super) struct Deferred {
    sum: Option<(View, Sum)>,
    idle: Option<View>,
}

/// Which additions of a layer can wait.
#[derive(Clone, Copy, Default)]
pub(super) struct Waits {
    /// That of the mixer.
    pub mixer: bool,
    /// That of the feed-forward part.
    pub ffn: bool,
    /// That of the layer's own input.
    pub input: bool,
}

impl Waits {
    /// Whether the last addition of the layer waits.
    pub(super) fn last(self, layer: &Layer) -> bool {
        if layer.input.is_some() { self.input } else { self.ffn }
    }
}

/// Those whose next reader of the stream is a product without adapter; none where `usable` is false. The stream must end on the
/// side where it began, which is that of the prefill, so there is an even number of them.
pub(super) fn waits(spec: &ModelSpec, usable: bool) -> Vec<Waits> {
    let layers = &spec.layers;
    if !usable {
        return vec![Waits::default(); layers.len()];
    }
    let of = |(i, layer): (usize, &Layer)| {
        let next = layers.get(i + 1).is_some_and(begins);
        let ends = layer.ffn.experts.is_none() && layer.ffn_post_norm.is_none();
        let ffn = ends && fits(layer.ffn_out_norm.as_ref());
        match &layer.input {
            // The gate of the layer's own input reads the stream in between.
            Some(input) => Waits { mixer: after_mixer(layer), ffn, input: next && fits(Some(&input.norm)) },
            None => Waits { mixer: after_mixer(layer), ffn: next && ffn, input: false },
        }
    };
    let mut waits: Vec<Waits> = layers.iter().enumerate().map(of).collect();
    let all = waits.iter_mut().flat_map(|w| [&mut w.mixer, &mut w.ffn, &mut w.input]).filter(|w| **w);
    if let (count, Some(last)) = all.fold((0, None), |(count, _), w| (count + 1, Some(w)))
        && count % 2 == 1
    {
        *last = false;
    }
    waits
}

impl Deferred {
    /// The side of the stream that is idle, if there is one. It is no longer.
    pub(super) fn take_idle(&mut self) -> Option<View> {
        self.idle.take()
    }

    /// Lets a sum wait. The stream goes on in `to`.
    pub(super) fn wait(&mut self, to: View, sum: Sum) {
        self.sum = Some((to, sum));
    }

    /// Multiplies the sum that waits.
    pub(super) fn multiply(&mut self, by: VectorId) {
        if let Some((_, sum)) = &mut self.sum {
            sum.by = Some(by);
        }
    }

    /// The sum that makes `input`, for its first reader. The other side is idle then.
    pub(super) fn take_sum(&mut self, input: View) -> Option<Sum> {
        let (_, sum) = self.sum.take_if(|(to, _)| to.buffer == input.buffer)?;
        self.idle = Some(sum.x);
        Some(sum)
    }
}

fn fits(norm: Option<&Norm>) -> bool {
    norm.is_some_and(|n| n.kind == NormKind::Rms && n.bias.is_none())
}

/// What a product can fold in beside a sum.
fn reads(norm: Option<&Norm>) -> bool {
    norm.is_none() || fits(norm)
}

fn after_mixer(layer: &Layer) -> bool {
    let plain = layer.beside.is_none() && layer.attn_post_norm.is_none() && layer.ffn.experts.is_none();
    plain && fits(layer.attn_out_norm.as_ref()) && reads(layer.ffn_norm.as_ref())
}

/// Whether a layer begins with a product that can make a sum.
fn begins(layer: &Layer) -> bool {
    matches!(layer.mixer, Mixer::Attention(_)) && reads(layer.attn_norm.as_ref())
}
