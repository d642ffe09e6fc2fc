//! Norms behind products, at decode. `x += norm(y)` would be a dispatch of its own. Instead the product that reads the
//! stream next makes the sum on its way: every workgroup for itself, and the first one writes it to another buffer, because
//! the others still read the old one. So the stream changes sides between two buffers.

use crate::kernels::Sum;
use crate::models::{Layer, Mixer, ModelSpec, Norm};
use crate::plan::{NormKind, View};

/// A sum that waits for its reader, and the side of the stream that is idle.
#[derive(Default)]
pub(super) struct Deferred {
    sum: Option<(View, Sum)>,
    idle: Option<View>,
}

/// Which additions of each layer can wait: that of the mixer, that of the feed-forward part.
pub(super) type Waits = Vec<[bool; 2]>;

/// Those whose next reader of the stream is a product without adapter; none where `usable` is false. The stream must end on the
/// side where it began, which is that of the prefill, so there is an even number of them.
pub(super) fn waits(spec: &ModelSpec, usable: bool) -> Waits {
    let layers = &spec.layers;
    let mut waits: Waits = (0..layers.len())
        .map(|i| {
            let next = layers.get(i + 1);
            [usable && after_mixer(&layers[i]), usable && after_ffn(spec, &layers[i], next)]
        })
        .collect();
    if waits.iter().flatten().filter(|w| **w).count() % 2 == 1
        && let Some(last) = waits.iter_mut().flatten().rev().find(|w| **w)
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

fn after_ffn(spec: &ModelSpec, layer: &Layer, next: Option<&Layer>) -> bool {
    let plain = layer.ffn.experts.is_none() && layer.ffn_post_norm.is_none() && layer.out_scale.is_none();
    let attention = |l: &&Layer| matches!(l.mixer, Mixer::Attention(_)) && reads(l.attn_norm.as_ref());
    plain
        && spec.layer_inputs.is_none()
        && fits(layer.ffn_out_norm.as_ref())
        && next.filter(attention).is_some()
}
