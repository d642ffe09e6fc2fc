//! Head norms, rotation, and the write to the KV cache.

use super::RopeStore;
use crate::kernels::shared::{Cpu, cells, normalise};
use crate::plan::{BufferId, NormOver, NormUse, RopePairs};

/// q[t] = rotate(norm(q of qkv[t])); k likewise, to the cache, with v.
pub fn rope_store(s: &mut Cpu, step: &RopeStore) {
    let n = step.head_len;
    let kv_cols = step.kv_heads * n;
    let mut q = std::mem::take(&mut s.buffers[step.q.buffer.0]);
    let mut k = std::mem::take(&mut s.buffers[step.kv.keys.0]);
    let mut v = std::mem::take(&mut s.buffers[step.kv.values.0]);
    let mut normed = [0.0f32; crate::plan::HEAD_LEN_MAX];
    let qkv = &s.buffers[step.qkv.buffer.0];
    let q_stride = if step.gated { 2 * n } else { n };
    let k_first = step.heads * q_stride;
    for t in 0..s.state.tokens as usize {
        let position = s.tokens[t].position as usize;
        let row = &qkv[step.qkv.offset + t * step.qkv.stride..];
        let place = s.place(&s.tokens[t], position);
        let warmth = step
            .temperature
            .map_or(1.0, |w| 1.0 + w.scale * ((position / w.original_tokens) as f32 + 1.0).ln());
        let heads =
            Heads { row, first: 0, stride: q_stride, count: step.heads, norm: step.norms.map(|n| n.0) };
        for head in 0..step.heads {
            let out = &mut q[step.q.offset + t * step.q.stride + head * n..][..n];
            turn(s, step, &heads, head, position, out);
            out.iter_mut().for_each(|v| *v *= warmth);
        }
        if !step.store {
            continue;
        }
        let heads =
            Heads { row, first: k_first, stride: n, count: step.kv_heads, norm: step.norms.map(|n| n.1) };
        for head in 0..step.kv_heads {
            turn(s, step, &heads, head, position, &mut normed[..n]);
            cells::store(&step.kv, &mut k, place, head, &normed[..n]);
        }
        let v_first = if step.values_are_keys { k_first } else { k_first + kv_cols };
        for head in 0..step.kv_heads {
            let from = &row[v_first + head * n..][..n];
            let to = &mut normed[..n];
            to.copy_from_slice(from);
            if let Some(eps) = step.value_norm {
                let squares: f64 = from.iter().map(|&v| f64::from(v).powi(2)).sum();
                let inverse = 1.0 / (squares / n as f64 + f64::from(eps)).sqrt();
                to.iter_mut().for_each(|v| *v = (f64::from(*v) * inverse) as f32);
            }
            cells::store(&step.kv, &mut v, place, head, to);
        }
    }
    s.buffers[step.q.buffer.0] = q;
    s.buffers[step.kv.keys.0] = k;
    s.buffers[step.kv.values.0] = v;
}

/// The queries or the keys of a row.
struct Heads<'a> {
    row: &'a [f32],
    first: usize,
    /// From head to head.
    stride: usize,
    count: usize,
    norm: Option<NormUse>,
}

fn turn(s: &Cpu, step: &RopeStore, heads: &Heads, head: usize, position: usize, out: &mut [f32]) {
    let n = step.head_len;
    let mut normed = [0.0f32; crate::plan::HEAD_LEN_MAX];
    let x = &mut normed[..n];
    let own = &heads.row[heads.first + head * heads.stride..][..n];
    let first = if step.norm_over == NormOver::EachHead { head * n } else { 0 };
    let before = heads.norm.filter(|_| !step.norm_after);
    match before {
        Some(norm) if step.norm_over == NormOver::Row => {
            let all = &heads.row[heads.first..][..heads.count * n];
            let mut row = vec![0.0; all.len()];
            normalise(all, &mut row, &norm, 0, s.layout, s.vectors);
            x.copy_from_slice(&row[head * n..][..n]);
        }
        Some(norm) => normalise(own, x, &norm, first, s.layout, s.vectors),
        None => x.copy_from_slice(own),
    }
    out.copy_from_slice(x);
    if let Some(rope) = step.rope {
        rotate(s, step, rope, position, x, out);
    }
    if let Some(norm) = heads.norm.filter(|_| step.norm_after) {
        x.copy_from_slice(out);
        normalise(x, out, &norm, first, s.layout, s.vectors);
    }
}

fn rotate(s: &Cpu, step: &RopeStore, rope: BufferId, position: usize, x: &[f32], out: &mut [f32]) {
    let half = step.rope_len / 2;
    let table = &s.buffers[rope.0][position * step.rope_len..];
    for j in 0..half {
        let (a, b) = if step.pairs == RopePairs::Half { (j, j + half) } else { (2 * j, 2 * j + 1) };
        let (cos, sin) = (table[2 * j], table[2 * j + 1]);
        out[a] = x[a] * cos - x[b] * sin;
        out[b] = x[a] * sin + x[b] * cos;
    }
}
