//! Attention: q, k, v in one product, rotation and cache in one step, scores and sum in another.

use crate::kernels::{Attend, RopeStore, Step};
use crate::models::{Attention, Layer};
use crate::plan::{RopePairs, View};
use crate::planner::PlanError;
use crate::planner::builder::{Builder, Phase};

/// Emits the steps of attention; returns the mixed heads.
///
/// # Errors
/// `TooLarge` where a row of a weight exceeds a binding.
pub fn emit(
    b: &mut Builder,
    phase: Phase,
    index: usize,
    layer: &Layer,
    a: &Attention,
    x: View,
) -> Result<View, PlanError> {
    let q_cols = a.heads * a.head_len;
    let (input, norm) = b.normed(phase, layer.attn_norm.as_ref(), x);
    let qkv = b.products(&Vec::from_iter(&a.qkv), input, norm)?;
    b.give(input, x);
    let q = b.take(q_cols);
    let mut norm_of = |n: &Option<crate::models::Norm>| n.as_ref().map(|n| b.norm_use(n));
    let (q_norm, k_norm) = (norm_of(&a.q_norm), norm_of(&a.k_norm));
    let rope = a.rope.map(|i| (&b.spec.ropes[i], b.ropes[i]));
    let (kv, gated) = (b.kv[index], a.gated);
    b.steps.push(Step::RopeStore(RopeStore {
        qkv,
        gated,
        values_are_keys: a.values_are_keys,
        value_norm: a.value_norm,
        store: a.cache_of.is_none(),
        q,
        kv,
        heads: a.heads,
        kv_heads: a.kv_heads,
        head_len: a.head_len,
        pairs: rope.map_or(RopePairs::None, |r| r.0.pairs),
        rope_len: rope.map_or(0, |r| r.0.len),
        rope: rope.map(|r| r.1),
        norms: q_norm.map(|q| (q, k_norm.unwrap_or(q))),
        norm_after: a.norm_after_rope,
        norm_over: a.norm_over,
        temperature: a.temperature,
    }));
    if !gated {
        b.free.push(qkv.buffer);
    }
    let out = b.take(q_cols);
    let parts = (phase == Phase::Decode).then(|| b.take_parts(a.heads, a.head_len));
    let sinks = a.sinks.as_ref().map(|s| b.vector(vec![(0, s.clone())], s.len));
    b.steps.push(Step::Attend(Attend {
        q,
        kv,
        out,
        heads: a.heads,
        kv_heads: a.kv_heads,
        head_len: a.head_len,
        scale: a.scale,
        causal: b.spec.causal,
        window: a.window,
        cap: a.cap,
        gate: gated.then_some(qkv),
        sinks,
        parts,
    }));
    b.free.extend(parts.map(|p| p.buffer));
    if gated {
        b.free.push(qkv.buffer);
    }
    b.free.push(q.buffer);
    Ok(out)
}
