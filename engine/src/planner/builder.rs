//! The tables of a plan while it is made, and what adds to them.

use std::collections::HashMap;

use super::deferred::Deferred;
use super::error::PlanError;
use super::place::place;
use crate::formats::{Precision, UNIT};
use crate::kernels::{Linear, Step};
use crate::models::{Lora, ModelSpec, Norm};
use crate::plan::{
    Buffer, BufferId, CacheFormat, Epilogue, Kv, Limits, Matrix, NormUse, Options, PAGE_TOKENS, Rows,
    Threads, Vector, VectorId, VectorPlace, View, Weight, WeightId,
};

/// Positions reserved that are worth a workgroup of their own, and most workgroups that share what a token sees.
const SPLIT_TOKENS: usize = PAGE_TOKENS;
const SPLITS_MAX: usize = 32;

/// One token at a time folds norms into products; many tokens normalise first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Decode,
    Prefill,
}

/// The tables of a plan while it is made.
pub(crate) struct Builder<'a> {
    pub spec: &'a ModelSpec,
    pub(super) options: Options,
    pub(super) limits: Limits,
    pub(super) weights: Vec<Weight>,
    pub(super) weight_ids: HashMap<Vec<String>, WeightId>,
    pub(super) vectors: Vec<VectorPlace>,
    vector_ids: HashMap<Vec<String>, VectorId>,
    pub(super) vectors_len: usize,
    pub(super) buffers: Vec<Buffer>,
    pub free: Vec<BufferId>,
    pub ropes: Vec<BufferId>,
    /// Pools of every layer with attention; of the others nothing that is read.
    pub kv: Vec<Kv>,
    /// States of recurrent mixers, two of a layer at most: the convolution's, the scan's.
    pub states: Vec<Vec<BufferId>>,
    pub(super) kv_buffers: Vec<BufferId>,
    pub(super) pools: Vec<Kv>,
    pub(super) kv_pages: usize,
    pub steps: Vec<Step>,
    /// What the next reader of the stream adds to it, and the stream's buffer that is idle: see `planner/deferred.rs`.
    pub(super) deferred: Deferred,
    /// Whose steps are being made.
    pub lora: Option<&'a Lora>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(spec: &'a ModelSpec, mut options: Options, limits: Limits) -> Self {
        let learned = spec.position_embd.as_ref().map_or(usize::MAX, |m| m.rows);
        options.context_tokens = options.context_tokens.clamp(1, spec.context_tokens.min(learned));
        if spec.pooling.is_some() {
            // Pooling, and attention that sees what follows, need all tokens in one slice.
            options.slice_tokens = options.context_tokens;
            options.cache = CacheFormat::F32;
            // Vectors are kept, and compared with later ones; a fast prefill is hardly faster.
            options.precision = Precision::Exact;
            if spec.is_recurrent() {
                // A mixer that keeps a state takes a slice for one text.
                options.sequences = 1;
            }
        }
        options.slice_tokens = options.slice_tokens.clamp(1, options.context_tokens);
        options.logits_rows = options.logits_rows.clamp(1, options.slice_tokens);
        options.sequences = options.sequences.clamp(1, options.slice_tokens);
        let mut kv_pages = options.context_tokens.div_ceil(PAGE_TOKENS);
        if spec.pooling.is_some() {
            // A short text takes a page of its own.
            kv_pages += options.sequences;
        } else {
            options.sequences = options.sequences.min(options.logits_rows);
        }
        Builder {
            spec,
            options,
            limits,
            weights: Vec::new(),
            weight_ids: HashMap::new(),
            vectors: Vec::new(),
            vector_ids: HashMap::new(),
            vectors_len: 0,
            buffers: Vec::new(),
            free: Vec::new(),
            ropes: Vec::new(),
            kv: Vec::new(),
            states: Vec::new(),
            kv_buffers: Vec::new(),
            pools: Vec::new(),
            kv_pages,
            steps: Vec::new(),
            deferred: Deferred::default(),
            lora: None,
        }
    }

    pub(crate) fn linear(
        &mut self,
        m: &[&Matrix],
        input: View,
        norm: Option<NormUse>,
        epilogue: Epilogue,
        out: View,
        scale: f32,
    ) -> Result<(), PlanError> {
        let weight = self.weight(m, matches!(epilogue, Epilogue::Gated(_)))?;
        let bias = self.bias(m);
        let sum = self.deferred.take_sum(input);
        self.free.extend(sum.as_ref().map(|sum| sum.y.buffer));
        let delta = self.delta(m, input, norm, Rows::Tokens)?;
        let product = Linear { sum, norm, bias, scale, epilogue, delta, ..Linear::new(weight, input, out) };
        self.steps.push(Step::Linear(product));
        self.free.extend(delta.map(|d| d.buffer));
        Ok(())
    }

    /// The products of these matrices side by side; neighbours of one format in one step.
    pub(crate) fn products(
        &mut self,
        m: &[&Matrix],
        input: View,
        norm: Option<NormUse>,
    ) -> Result<View, PlanError> {
        let out = self.take(m.iter().map(|m| m.rows).sum());
        let mut first = 0;
        for group in same_format(m) {
            let outputs: usize = group.iter().map(|m| m.rows).sum();
            self.linear(&group, input, norm, Epilogue::Store, out.part(first, outputs), 1.0)?;
            first += outputs;
        }
        Ok(out)
    }

    /// A weight of experts, whose products are too small to be shared.
    pub(crate) fn expert_weight(&mut self, m: &[&Matrix], gated: bool) -> Result<WeightId, PlanError> {
        let threads = std::mem::replace(&mut self.limits.threads, Threads::ONE);
        let weight = self.weight(m, gated);
        self.limits.threads = threads;
        weight
    }

    /// The weight of these matrices joined; placed once, however often it is used.
    pub(crate) fn weight(&mut self, m: &[&Matrix], gated: bool) -> Result<WeightId, PlanError> {
        // Matrices that share a tensor are told apart by their first rows.
        let name =
            |m: &&Matrix| m.runs.map_or(m.tensor.clone(), |runs| format!("{} {}", m.tensor, runs.first));
        let names: Vec<String> = m.iter().map(name).collect();
        if let Some(&id) = self.weight_ids.get(&names) {
            return Ok(id);
        }
        let id = WeightId(self.weights.len());
        self.weights.push(place(m, gated, &self.limits)?);
        self.weight_ids.insert(names, id);
        Ok(id)
    }

    /// The biases of these matrices joined, zero where one has none.
    pub(super) fn bias(&mut self, m: &[&Matrix]) -> Option<VectorId> {
        if m.iter().all(|m| m.bias.is_empty()) {
            return None;
        }
        let mut parts = Vec::new();
        let mut at = 0;
        for m in m {
            let mut from = at;
            for bias in &m.bias {
                parts.push((from, bias.clone()));
                from += bias.len;
            }
            at += m.rows;
        }
        Some(self.vector(parts, at))
    }

    pub(crate) fn norm_use(&mut self, norm: &Norm) -> NormUse {
        let weight = self.vector(vec![(0, norm.weight.clone())], norm.weight.len);
        let bias = norm.bias.as_ref().map(|b| self.vector(vec![(0, b.clone())], b.len));
        NormUse { kind: norm.kind, eps: norm.eps, weight, bias }
    }

    pub(crate) fn vector(&mut self, mut parts: Vec<(usize, Vector)>, len: usize) -> VectorId {
        let names: Vec<String> = parts.iter().map(|(_, v)| v.tensor.clone()).collect();
        if let Some(&id) = self.vector_ids.get(&names) {
            return id;
        }
        let (id, offset) = (VectorId(self.vectors.len()), self.vectors_len);
        for part in &mut parts {
            part.0 += offset;
        }
        self.vectors.push(VectorPlace { parts, offset, len });
        self.vectors_len = (offset + len).next_multiple_of(UNIT);
        self.vector_ids.insert(names, id);
        id
    }

    /// What is longer than can be counted, as in 32 bits a context of millions, is too large for every device.
    pub(super) fn buffer(&mut self, name: &str, len: usize) -> BufferId {
        let id = BufferId(self.buffers.len());
        let len = len.min(usize::MAX - 3).next_multiple_of(4).max(4);
        self.buffers.push(Buffer { name: name.to_owned(), len });
        id
    }

    /// Rows of `cols` values for every token of a slice; an idle buffer that is large enough, or a new one.
    pub(crate) fn take(&mut self, cols: usize) -> View {
        self.take_rows(self.options.slice_tokens, cols)
    }

    /// The same for `rows` rows.
    pub(super) fn take_rows(&mut self, rows: usize, cols: usize) -> View {
        let stride = cols.next_multiple_of(UNIT);
        let need = stride.saturating_mul(rows);
        let fits = self.free.iter().enumerate().filter(|(_, id)| self.buffers[id.0].len >= need);
        if let Some((i, _)) = fits.min_by_key(|(_, id)| self.buffers[id.0].len) {
            return View { buffer: self.free.swap_remove(i), offset: 0, stride, cols };
        }
        let buffer = self.buffer(&format!("act{}", self.buffers.len()), need);
        View { buffer, offset: 0, stride, cols }
    }

    /// Where workgroups leave their parts of what tokens make of what they see, one token of each sequence.
    pub(crate) fn take_parts(&mut self, heads: usize, head_len: usize) -> View {
        let splits = self.options.context_tokens.div_ceil(SPLIT_TOKENS).min(SPLITS_MAX);
        self.take_rows(self.options.sequences, heads * splits * (head_len + 2))
    }

    /// Releases `view` unless it is the residual stream itself.
    pub(crate) fn give(&mut self, view: View, x: View) {
        if view.buffer != x.buffer {
            self.free.push(view.buffer);
        }
    }

    pub(crate) fn new_view(&mut self, name: &str, rows: usize, cols: usize) -> View {
        let stride = cols.next_multiple_of(UNIT);
        View { buffer: self.buffer(name, rows * stride), offset: 0, stride, cols }
    }

    pub(super) fn check_buffers(&self) -> Result<(), PlanError> {
        let have_bytes = self.limits.binding_bytes.min(self.limits.buffer_bytes);
        for b in &self.buffers {
            let need_bytes = 4 * b.len as u64;
            if need_bytes > have_bytes {
                return Err(PlanError::TooLarge {
                    what: format!("the buffer \"{}\"", b.name),
                    need_bytes,
                    have_bytes,
                });
            }
        }
        Ok(())
    }
}

/// Neighbours of one format: they become one weight.
pub(super) fn same_format<'m>(matrices: &[&'m Matrix]) -> Vec<Vec<&'m Matrix>> {
    let mut groups: Vec<Vec<&Matrix>> = Vec::new();
    for &m in matrices {
        match groups.last_mut() {
            Some(g) if std::ptr::eq(g[0].format, m.format) => g.push(m),
            _ => groups.push(vec![m]),
        }
    }
    groups
}
