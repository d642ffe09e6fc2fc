//! Model -> plan.

use std::collections::HashMap;

use super::cache::{CacheFormat, Kv};
use super::deferred::Deferred;
use super::error::PlanError;
use super::sampling::{CHUNK, SAMPLING_WORDS, SHORTLIST};
use super::step::*;
use super::weights::{VectorId, VectorPlace, Weight, WeightId, place};
use super::{Bodies, Limits, Options, PAGE_TOKENS, Plan, STATE_SLOTS, transfer};
use crate::backend::TOKEN_WORDS;
use crate::formats::UNIT;
use crate::gguf::Header;
use crate::mixers;
use crate::models::{Adapter, Matrix, Mixer, ModelSpec, Norm, Vector};

/// Lays out `spec` for a device with `limits`.
pub fn build(spec: ModelSpec, header: &Header, options: Options, limits: &Limits) -> Result<Plan, PlanError> {
    lay_out(spec, Vec::new(), header, options, limits, 0)
}

/// `plan` with one more adapter, whose header this is. What the plan had keeps its place; the pieces are those of the
/// adapter's file.
pub fn extend(plan: &Plan, adapter: Adapter, header: &Header) -> Result<Plan, PlanError> {
    let adapters = plan.adapters.iter().cloned().chain([adapter]).collect();
    lay_out(plan.spec.clone(), adapters, header, plan.options, &plan.limits, plan.weights.len())
}

/// `first`: weights before this one have been loaded, and so have the vectors if there are any.
fn lay_out(
    spec: ModelSpec,
    adapters: Vec<Adapter>,
    header: &Header,
    options: Options,
    limits: &Limits,
    first: usize,
) -> Result<Plan, PlanError> {
    let mut b = Builder::new(&spec, options, *limits);
    let tokens = b.buffer("tokens", TOKEN_WORDS * b.options.slice_tokens.max(b.options.sequences));
    let pages_len = if spec.pooling.is_some() { b.kv_pages } else { b.kv_pages * b.options.sequences };
    let pages = b.buffer("pages", pages_len);
    let chosen = b.buffer("chosen", b.options.logits_rows);
    b.tables();
    b.caches();
    let head = spec.head.as_ref().filter(|_| spec.pooling.is_none());
    let logits = head.map(|_| b.new_view("logits", b.options.logits_rows, spec.vocab));
    let sampling = b.buffer("sampling", SAMPLING_WORDS * b.options.sequences);
    let choices = logits.map(|logits| b.choices(logits, sampling, chosen, tokens));
    let (greedy, sampled) = choices.unwrap_or_default();
    let mut bodies = vec![b.bodies(None, logits)?];
    for adapter in &adapters {
        bodies.push(b.bodies(Some(adapter), logits)?);
    }
    b.check_buffers()?;
    let pieces = if first == 0 {
        let divisors = spec.ropes.first().and_then(|r| r.divisors.as_ref());
        let divisors = divisors.map(|d| d.of(b.options.context_tokens));
        transfer::pieces(header, &b.weights, 0, &b.vectors, divisors)?
    } else {
        transfer::pieces(header, &b.weights, first, &[], None)?
    };
    Ok(Plan {
        options: b.options,
        limits: *limits,
        vectors_len: b.vectors_len.next_multiple_of(UNIT).max(UNIT),
        kv_pages: b.kv_pages,
        pages_len,
        state_slots: b.states.iter().any(|s| !s.is_empty()).then_some(STATE_SLOTS),
        kv: b.kv_buffers,
        pieces,
        weights: b.weights,
        vectors: b.vectors,
        buffers: b.buffers,
        tokens,
        pages,
        ropes: b.ropes,
        logits,
        chosen,
        sampling,
        greedy,
        sampled,
        bodies,
        adapters,
        spec,
    })
}

/// Positions reserved that are worth a workgroup of their own, and most workgroups that share what a token sees.
const SPLIT_TOKENS: usize = 128;
const SPLITS_MAX: usize = 16;

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
    limits: Limits,
    weights: Vec<Weight>,
    weight_ids: HashMap<Vec<String>, WeightId>,
    vectors: Vec<VectorPlace>,
    vector_ids: HashMap<Vec<String>, VectorId>,
    vectors_len: usize,
    buffers: Vec<Buffer>,
    pub free: Vec<BufferId>,
    pub ropes: Vec<BufferId>,
    /// Pools of every layer with attention; of the others nothing that is read.
    pub kv: Vec<Kv>,
    /// States of recurrent mixers, two of a layer at most: the convolution's, the scan's.
    pub states: Vec<Vec<BufferId>>,
    kv_buffers: Vec<BufferId>,
    kv_pages: usize,
    pub steps: Vec<Step>,
    /// What the next reader of the stream adds to it, and the stream's buffer that is idle: see `plan/deferred.rs`.
    pub(super) deferred: Deferred,
    /// Whose steps are being made.
    pub adapter: Option<&'a Adapter>,
}

impl<'a> Builder<'a> {
    fn new(spec: &'a ModelSpec, mut options: Options, limits: Limits) -> Self {
        let learned = spec.position_embd.as_ref().map_or(usize::MAX, |m| m.rows);
        options.context_tokens = options.context_tokens.clamp(1, spec.context_tokens.min(learned));
        if spec.pooling.is_some() {
            // Pooling, and attention that sees what follows, need all tokens in one slice.
            options.slice_tokens = options.context_tokens;
            options.cache = CacheFormat::F32;
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
            kv_pages,
            steps: Vec::new(),
            deferred: Deferred::default(),
            adapter: None,
        }
    }

    /// Where cos and sin of the rotations go.
    fn tables(&mut self) {
        for (i, rope) in self.spec.ropes.iter().enumerate() {
            let table =
                self.buffer(&format!("rope{i}"), self.options.context_tokens.saturating_mul(rope.len));
            self.ropes.push(table);
        }
    }

    /// The steps that choose, greedily and by a draw.
    fn choices(
        &mut self,
        logits: View,
        sampling: BufferId,
        chosen: BufferId,
        tokens: BufferId,
    ) -> (Vec<Step>, Vec<Step>) {
        let chunks = logits.cols.div_ceil(CHUNK);
        let pairs = chunks * self.options.logits_rows.max(SHORTLIST * self.options.sequences);
        let candidates = self.buffer("candidates", 2 * pairs);
        let greedy = vec![
            Step::ChunkTops(ChunkTops { logits, candidates, chunks }),
            Step::Top(Top { candidates, chunks, chosen, tokens }),
        ];
        let sampled = vec![
            Step::Shortlist(Shortlist { logits, sampling, candidates, chunks }),
            Step::Draw(Draw { logits, sampling, candidates, chunks, chosen, tokens }),
        ];
        (greedy, sampled)
    }

    /// All steps, with an adapter or without.
    fn bodies(&mut self, adapter: Option<&'a Adapter>, logits: Option<View>) -> Result<Bodies, PlanError> {
        self.adapter = adapter;
        // Tensors of different adapters share names.
        let own_ids = adapter.map(|_| self.weight_ids.clone());
        let x = self.take(self.spec.width);
        let after = self.body(Phase::Prefill, x)?;
        let prefill = std::mem::take(&mut self.steps);
        let decode = if self.spec.causal && self.spec.pooling.is_none() {
            self.body(Phase::Decode, x)?;
            std::mem::take(&mut self.steps)
        } else {
            Vec::new()
        };
        let rows = self.head(after, logits)?;
        let head = std::mem::take(&mut self.steps);
        self.free.push(rows.map_or(after, |(rows, _)| rows).buffer);
        if let Some(ids) = own_ids {
            self.weight_ids = ids;
        }
        Ok(Bodies { prefill, decode, head, rows })
    }

    /// One pair of pools per layer with attention, one pair for all where nothing outlives the slice; states of the
    /// other layers.
    fn caches(&mut self) {
        let spec = self.spec;
        for (i, layer) in spec.layers.iter().enumerate() {
            let lens = mixers::state_lens(&layer.mixer);
            let states =
                lens.iter().map(|len| self.buffer(&format!("state{i}"), STATE_SLOTS * len)).collect();
            self.states.push(states);
            let none = Kv {
                keys: BufferId(0),
                values: BufferId(0),
                format: self.options.cache,
                pages: self.kv_pages,
                heads: 0,
                head_len: 0,
                in_fours: self.limits.in_fours,
            };
            let attention = match &layer.mixer {
                Mixer::Attention(a) => Some(a),
                _ => layer.beside.as_ref(),
            };
            let kv = match attention {
                Some(a) => match (a.cache_of, spec.pooling.is_some(), self.kv.first()) {
                    (Some(other), ..) => self.kv[other],
                    (None, true, Some(&first)) => first,
                    _ => {
                        let mut kv = Kv { heads: a.kv_heads, head_len: a.head_len, ..none };
                        kv.keys = self.buffer(&format!("k{i}"), kv.words());
                        kv.values = self.buffer(&format!("v{i}"), kv.words());
                        self.kv_buffers.extend([kv.keys, kv.values]);
                        kv
                    }
                },
                None => none,
            };
            self.kv_buffers.extend(self.states[i].clone());
            self.kv.push(kv);
        }
    }

    pub(crate) fn linear(
        &mut self,
        m: &[&Matrix],
        input: View,
        norm: Option<NormUse>,
        finish: Finish,
        out: View,
        scale: f32,
    ) -> Result<(), PlanError> {
        let weight = self.weight(m, matches!(finish, Finish::Gated(_)))?;
        let bias = self.bias(m);
        let sum = self.take_sum(input);
        let delta = self.delta(m, input, norm, Rows::Tokens)?;
        let product = Linear { sum, norm, bias, scale, finish, delta, ..Linear::new(weight, input, out) };
        self.steps.push(Step::Linear(product));
        self.free.extend(delta.map(|d| d.buffer));
        Ok(())
    }

    /// The weight of these matrices joined; placed once, however often it is used.
    pub(crate) fn weight(&mut self, m: &[&Matrix], gated: bool) -> Result<WeightId, PlanError> {
        let names: Vec<String> = m.iter().map(|m| m.tensor.clone()).collect();
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
        if m.iter().all(|m| m.bias.is_none()) {
            return None;
        }
        let mut parts = Vec::new();
        let mut at = 0;
        for m in m {
            if let Some(bias) = &m.bias {
                parts.push((at, bias.clone()));
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
    fn buffer(&mut self, name: &str, len: usize) -> BufferId {
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

    fn check_buffers(&self) -> Result<(), PlanError> {
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
pub(crate) fn same_format(matrices: &[Matrix]) -> Vec<Vec<&Matrix>> {
    let mut groups: Vec<Vec<&Matrix>> = Vec::new();
    for m in matrices {
        match groups.last_mut() {
            Some(g) if std::ptr::eq(g[0].format, m.format) => g.push(m),
            _ => groups.push(vec![m]),
        }
    }
    groups
}
