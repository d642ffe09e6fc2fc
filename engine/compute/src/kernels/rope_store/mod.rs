//! Norms and rotation of heads, and the write of keys and values to the KV cache.

mod cpu;

#[cfg(feature = "webgl2")]
use super::shared::cell_blocks;
use super::shared::{Cpu, Kernel, cell_consts, vector_offset};
use crate::plan::{
    BufferId, CacheFormat, HEAD_LEN_MAX, Kv, Layout, NormKind, NormOver, NormUse, RopePairs, Temperature,
    View, uniform,
};
use crate::shaders::{
    Access, Bound, Count, Dispatches, EACH_TOKEN, Grid, Part, Variant, bindings, consts, part,
    wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Const, Draws, Program, Region, Target, Texture, glsl_parts, int, uint};

/// q[t] = rotate(norm(q of qkv[t])); the same for k, which goes to the KV cache at the token's position with v.
#[derive(Debug, Clone)]
pub struct RopeStore {
    /// `[tokens, (heads + 2 kv_heads) * head_len]`: q, k, v.
    pub qkv: View,
    /// True where every head of q is followed by a gate, which is passed over.
    pub gated: bool,
    /// True where v are the keys before norm and rotation.
    pub values_are_keys: bool,
    /// Epsilon of the norm of every value head.
    pub value_norm: Option<f32>,
    /// False where the cache belongs to another layer, and only q is made.
    pub store: bool,
    /// `[tokens, heads * head_len]`.
    pub q: View,
    /// The layer's pools.
    pub kv: Kv,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads.
    pub kv_heads: usize,
    /// Values per head.
    pub head_len: usize,
    /// Which lanes rotate together.
    pub pairs: RopePairs,
    /// Lanes that rotate.
    pub rope_len: usize,
    /// cos and sin, `[context, rope_len / 2, 2]`.
    pub rope: Option<BufferId>,
    /// Norms of q and k.
    pub norms: Option<(NormUse, NormUse)>,
    /// True where the norms come after the rotation.
    pub norm_after: bool,
    /// What the norms are over.
    pub norm_over: NormOver,
    /// Scale of the queries that grows with the position.
    pub temperature: Option<Temperature>,
}

uniform! {
    Params p at 0;
    /// Constants. `value_eps` is 0 where values have no norm.
    struct RopeStoreParams {
        heads: u32,
        kv_heads: u32,
        rope_len: u32,
        in_offset: u32,
        in_stride: u32,
        out_offset: u32,
        out_stride: u32,
        q_norm: u32,
        k_norm: u32,
        eps: f32,
        temperature: f32,
        original_tokens: u32,
        q_stride: u32,
        v_first: u32,
        value_eps: f32,
        scales: u32,
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

fn number(pairs: RopePairs) -> u32 {
    match pairs {
        RopePairs::Half => 0,
        RopePairs::Adjacent => 1,
        RopePairs::None => 2,
    }
}

fn variant(cache: CacheFormat, head_len: usize, pairs: RopePairs, norms: HeadNorms) -> Variant {
    const PARAMS: Part = Part { path: "kernels/rope_store", text: RopeStoreParams::WGSL };
    const READ: Access = Access::Read;
    const WRITE: Access = Access::Write;
    Variant {
        kernel: "rope_store",
        consts: [
            consts([
                ("PAIRS", format!("{}u", number(pairs))),
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
            &[PARAMS, parts::STATE, parts::TOKENS, parts::STATISTICS, parts::CELLS],
            parts::cache_store(cache),
            &[part!("kernels/rope_store/rope_store.wgsl")],
        ]
        .concat(),
        bindings: bindings(&[READ, READ, READ, READ, WRITE, WRITE, WRITE, READ]),
    }
}

impl RopeStore {
    fn head_norms(&self) -> HeadNorms {
        HeadNorms {
            normed: self.norms.is_some(),
            after: self.norm_after,
            over: self.norm_over,
            centred: self.norms.is_some_and(|n| n.0.kind == NormKind::Layer),
            values: self.value_norm.is_some(),
        }
    }

    fn params(&self, layout: &Layout) -> RopeStoreParams {
        let offset = |n: Option<NormUse>| n.map_or(0, |n| vector_offset(layout, n.weight));
        let q_stride = self.head_len * if self.gated { 2 } else { 1 };
        let k_first = self.heads * q_stride;
        let v_first = k_first + if self.values_are_keys { 0 } else { self.kv_heads * self.head_len };
        RopeStoreParams {
            heads: self.heads as u32,
            kv_heads: self.kv_heads as u32,
            rope_len: self.rope_len as u32,
            in_offset: self.qkv.offset as u32,
            in_stride: self.qkv.stride as u32,
            out_offset: self.q.offset as u32,
            out_stride: self.q.stride as u32,
            q_norm: offset(self.norms.map(|n| n.0)),
            k_norm: offset(self.norms.map(|n| n.1)),
            eps: self.norms.map_or(0.0, |n| n.0.eps),
            temperature: self.temperature.map_or(0.0, |t| t.scale),
            original_tokens: self.temperature.map_or(1, |t| t.original_tokens as u32),
            q_stride: q_stride as u32,
            v_first: v_first as u32,
            value_eps: self.value_norm.unwrap_or(0.0),
            scales: self.kv.first_scale() as u32,
        }
    }
}

impl Kernel for RopeStore {
    fn variants() -> Vec<Variant> {
        let mut all = Vec::new();
        for cache in CacheFormat::ALL {
            for head_len in (2..=HEAD_LEN_MAX).step_by(2) {
                for pairs in [RopePairs::Half, RopePairs::Adjacent, RopePairs::None] {
                    all.extend(head_norms().map(|norms| variant(cache, head_len, pairs, norms)));
                }
            }
        }
        all
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let bound = [
            Bound::Vectors,
            self.rope.map_or(Bound::Vectors, Bound::Buffer),
            Bound::Buffer(to.layout.pages),
            Bound::Buffer(self.qkv.buffer),
            Bound::Buffer(self.q.buffer),
            Bound::Buffer(self.kv.keys),
            Bound::Buffer(self.kv.values),
            Bound::Buffer(to.layout.tokens),
        ];
        let heads = self.heads + if self.store { 2 * self.kv_heads } else { 0 };
        let grid = Grid { x: Count::Fixed(heads as u32), y: EACH_TOKEN };
        let variant = variant(self.kv.format, self.head_len, self.pairs, self.head_norms());
        to.push(variant, self.params(to.layout).bytes(), &bound, grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/rope_store", text: RopeStoreParams::GLSL };
        const HEADS: Part = part!("kernels/rope_store/heads.glsl");
        let norms = self.head_norms();
        let mut consts = vec![
            ("PAIRS", int(number(self.pairs))),
            ("NORMED", Const::Bool(norms.normed)),
            ("NORM_AFTER", Const::Bool(norms.after)),
            ("WIDE", Const::Bool(norms.over == NormOver::Row)),
            ("EACH_HEAD", Const::Bool(norms.over == NormOver::EachHead)),
            ("CENTRED", Const::Bool(norms.centred)),
            ("VALUE_NORM", Const::Bool(norms.values)),
            ("HEAD", uint(self.head_len)),
        ];
        let params = self.params(to.layout).bytes();
        let reads = [
            Texture::Vectors,
            self.rope.map_or(Texture::Vectors, Texture::Buffer),
            Texture::Buffer(self.qkv.buffer),
            Texture::Buffer(to.layout.tokens),
            Texture::Buffer(to.layout.pages),
        ];
        let samplers = ["vectors", "angles", "qkv", "tokens", "pages"];
        let parts = [PARAMS, HEADS, glsl_parts::TOKENS, part!("kernels/rope_store/queries.glsl")];
        let queries = Program::new("rope_queries", &consts, &parts, &samplers[..4]);
        to.push(queries, params.clone(), &reads[..4], Target::rows(&self.q, EACH_TOKEN));
        if !self.store {
            return;
        }
        consts.extend(cell_blocks(&self.kv));
        let parts = [
            &[PARAMS, HEADS, glsl_parts::TOKENS, glsl_parts::CELLS],
            glsl_parts::cache_store(self.kv.format),
            &[part!("kernels/rope_store/cells.glsl")],
        ]
        .concat();
        let cells = Program { cells: true, ..Program::new("rope_cells", &consts, &parts, &samplers) };
        let target = Target {
            texture: Texture::Buffer(self.kv.keys),
            others: [Some(Texture::Buffer(self.kv.values)), None, None],
            region: Region::Cells(self.kv),
            twin: false,
        };
        to.push(cells, params, &reads, target);
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::rope_store(cpu, self);
    }
}
