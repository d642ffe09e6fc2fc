//! Dispatches of heads on their way to the cache.

use super::link::{Access, Variant};
use super::params::RopeStoreParams;
use super::parts::{self, Part};
use super::step::RopeStore;
use super::table::{Bound, Count, Dispatch, EACH_TOKEN, Grid, bindings, consts, vector_offset};
use crate::plan::{CacheFormat, HEAD_LEN_MAX, Layout, NormKind, NormOver, NormUse, PAGE_TOKENS, RopePairs};

/// Every variant that a model can ask for.
pub fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    let heads = (2..=HEAD_LEN_MAX).step_by(2);
    for (cache, head) in CacheFormat::ALL.into_iter().flat_map(|cache| heads.clone().map(move |h| (cache, h)))
    {
        for pairs in [RopePairs::Half, RopePairs::Adjacent, RopePairs::None] {
            for norms in head_norms() {
                all.push(rope_store_variant(cache, head, pairs, norms));
            }
        }
    }
    all
}

/// The constants of a cell of the KV cache.
pub fn cell_consts(format: CacheFormat, head_len: usize) -> [(&'static str, String); 5] {
    [
        ("HEAD", format!("{head_len}u")),
        ("PAGE", format!("{PAGE_TOKENS}u")),
        ("PER_WORD", format!("{}u", format.values_per_word())),
        ("CODE_WORDS", format!("{}u", format.code_words(head_len))),
        ("SCALE_WORDS", format!("{}u", format.scale_words(head_len))),
    ]
}

/// What writes a cell.
fn store_parts(format: CacheFormat) -> &'static [Part] {
    match format {
        CacheFormat::F32 => &[parts::STORE_F32],
        CacheFormat::F16 => &[parts::STORE_F16],
        CacheFormat::Q8_0 => &[parts::STORE_BLOCKS, parts::STORE_Q8_0],
        CacheFormat::Q4_0 => &[parts::STORE_BLOCKS, parts::STORE_Q4_0],
    }
}

/// The norms of heads that models have.
fn head_norms() -> [HeadNorms; 7] {
    let over = NormOver::Heads;
    let none = HeadNorms { normed: false, after: false, over, centred: false, values: false };
    let normed = HeadNorms { normed: true, ..none };
    let each = HeadNorms { over: NormOver::EachHead, ..normed };
    [
        none,
        normed,
        HeadNorms { over: NormOver::Row, ..normed },
        HeadNorms { values: true, ..normed },
        HeadNorms { after: true, ..normed },
        each,
        HeadNorms { centred: true, ..each },
    ]
}

/// Norms of heads on their way to the cache.
#[derive(Debug, Clone, Copy)]
struct HeadNorms {
    /// Queries and keys have norms,
    normed: bool,
    /// after the rotation,
    after: bool,
    /// over heads or rows,
    over: NormOver,
    /// around their means;
    centred: bool,
    /// and values have one without weights.
    values: bool,
}

fn rope_store_variant(cache: CacheFormat, head_len: usize, pairs: RopePairs, norms: HeadNorms) -> Variant {
    let pairs = match pairs {
        RopePairs::Half => "0u",
        RopePairs::Adjacent => "1u",
        RopePairs::None => "2u",
    };
    Variant {
        kernel: "rope_store",
        consts: [
            consts([
                ("PAIRS", pairs.to_owned()),
                ("NORMED", norms.normed.to_string()),
                ("NORM_AFTER", norms.after.to_string()),
                ("WIDE", (norms.over == NormOver::Row).to_string()),
                ("EACH_HEAD", (norms.over == NormOver::EachHead).to_string()),
                ("CENTRED", norms.centred.to_string()),
                ("VALUE_NORM", norms.values.to_string()),
            ]),
            cell_consts(cache, head_len).to_vec(),
        ]
        .concat(),
        parts: [
            &[parts::COMMON, parts::TOKENS, parts::STATISTICS, parts::CELLS],
            store_parts(cache),
            &[parts::ROPE_STORE],
        ]
        .concat(),
        bindings: bindings(&[
            Access::Read,
            Access::Read,
            Access::Read,
            Access::Read,
            Access::Write,
            Access::Write,
            Access::Write,
            Access::Read,
        ]),
    }
}

pub fn rope_store(layout: &Layout, s: &RopeStore) -> Dispatch {
    let offset = |n: Option<NormUse>| n.map_or(0, |n| vector_offset(layout, n.weight));
    let q_stride = s.head_len * if s.gated { 2 } else { 1 };
    let k_first = s.heads * q_stride;
    let v_first = k_first + if s.values_are_keys { 0 } else { s.kv_heads * s.head_len };
    let params = RopeStoreParams {
        heads: s.heads as u32,
        kv_heads: s.kv_heads as u32,
        rope_len: s.rope_len as u32,
        in_offset: s.qkv.offset as u32,
        in_stride: s.qkv.stride as u32,
        out_offset: s.q.offset as u32,
        out_stride: s.q.stride as u32,
        q_norm: offset(s.norms.map(|n| n.0)),
        k_norm: offset(s.norms.map(|n| n.1)),
        eps: s.norms.map_or(0.0, |n| n.0.eps),
        temperature: s.temperature.map_or(0.0, |t| t.scale),
        original_tokens: s.temperature.map_or(1, |t| t.original_tokens as u32),
        q_stride: q_stride as u32,
        v_first: v_first as u32,
        value_eps: s.value_norm.unwrap_or(0.0),
        scales: s.kv.first_scale() as u32,
    };
    let angles = s.rope.map_or(Bound::Vectors, Bound::Buffer);
    Dispatch {
        variant: rope_store_variant(
            s.kv.format,
            s.head_len,
            s.pairs,
            HeadNorms {
                normed: s.norms.is_some(),
                after: s.norm_after,
                over: s.norm_over,
                centred: s.norms.is_some_and(|n| n.0.kind == NormKind::Layer),
                values: s.value_norm.is_some(),
            },
        ),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![
            Bound::Vectors,
            angles,
            Bound::Buffer(layout.pages),
            Bound::Buffer(s.qkv.buffer),
            Bound::Buffer(s.q.buffer),
            Bound::Buffer(s.kv.keys),
            Bound::Buffer(s.kv.values),
            Bound::Buffer(layout.tokens),
        ],
        grid: Grid {
            x: Count::Fixed((s.heads + if s.store { 2 * s.kv_heads } else { 0 }) as u32),
            y: EACH_TOKEN,
        },
    }
}
