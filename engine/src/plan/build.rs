//! Model -> plan.

use std::collections::HashMap;

use super::cache::{CacheFormat, Kv};
use super::error::PlanError;
use super::step::*;
use super::weights::{VectorId, VectorPlace, Weight, WeightId, place};
use super::{Bodies, Limits, Options, PAGE_TOKENS, Plan, STATE_SLOTS, transfer};
use crate::formats::UNIT;
use crate::gguf::Header;
use crate::mixers;
use crate::models::{
    Act, Adapter, Ffn, Layer, LayerInputs, Matrix, Mixer, ModelSpec, Norm, SharedExpert, Vector,
};

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
    let ids = b.buffer("ids", b.options.slice_tokens);
    let pages = b.buffer("pages", b.kv_pages);
    let top = b.buffer("top", 1);
    b.tables();
    b.caches();
    let head = spec.head.as_ref().filter(|_| spec.pooling.is_none());
    let logits = head.map(|_| b.new_view("logits", b.options.logits_rows, spec.vocab));
    let io = Io { ids, top, logits };
    let mut bodies = vec![b.bodies(None, &io)?];
    for adapter in &adapters {
        bodies.push(b.bodies(Some(adapter), &io)?);
    }
    b.check_buffers()?;
    let pieces = if first == 0 {
        let divisors = spec.ropes.first().and_then(|r| r.divisors.as_ref());
        let divisors = divisors.map(|d| d.of(b.options.context_tokens));
        transfer::pieces(header, &b.weights, 0, &b.vectors, divisors)?
    } else {
        transfer::pieces(header, &b.weights, first, &[], None)?
    };
    let kv_bytes = b.kv_buffers.iter().map(|id| 4 * b.buffers[id.0].len as u64).sum();
    Ok(Plan {
        options: b.options,
        limits: *limits,
        vectors_len: b.vectors_len.next_multiple_of(UNIT).max(UNIT),
        kv_pages: b.kv_pages,
        state_slots: b.states.iter().any(|s| !s.is_empty()).then_some(STATE_SLOTS),
        kv_bytes,
        pieces,
        weights: b.weights,
        vectors: b.vectors,
        buffers: b.buffers,
        ids,
        pages,
        ropes: b.ropes,
        logits,
        top,
        bodies,
        adapters,
        spec,
    })
}

/// One token at a time folds norms into products; many tokens normalise first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Decode,
    Prefill,
}

/// The tables of a plan while it is made.
pub(crate) struct Builder<'a> {
    pub spec: &'a ModelSpec,
    options: Options,
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
    /// Whose steps are being made.
    pub adapter: Option<&'a Adapter>,
}

/// Buffers that the steps of a model and of its adapters share.
struct Io {
    ids: BufferId,
    top: BufferId,
    logits: Option<View>,
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
            kv_pages: options.context_tokens.div_ceil(PAGE_TOKENS),
            steps: Vec::new(),
            adapter: None,
        }
    }

    /// Where cos and sin of the rotations go.
    fn tables(&mut self) {
        for (i, rope) in self.spec.ropes.iter().enumerate() {
            let table = self.buffer(&format!("rope{i}"), self.options.context_tokens * rope.len);
            self.ropes.push(table);
        }
    }

    /// All steps, with an adapter or without.
    fn bodies(&mut self, adapter: Option<&'a Adapter>, io: &Io) -> Result<Bodies, PlanError> {
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
        let rows = self.head(after, io)?;
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

    /// Embedding and all blocks; returns where the residual stream ends up.
    fn body(&mut self, phase: Phase, x: View) -> Result<View, PlanError> {
        let spec = self.spec;
        let mut x = x;
        let tables = [
            (Some(&spec.token_embd), Index::Id),
            (spec.position_embd.as_ref(), Index::Position),
            (spec.token_types.as_ref(), Index::Zero),
        ];
        for (i, (table, index)) in tables.into_iter().enumerate() {
            if let Some(table) = table {
                let table = self.weight(&[table], false)?;
                let scale = if i == 0 { spec.embd_scale } else { 1.0 };
                self.steps.push(Step::Embed(Embed { table, index, add: i > 0, scale, out: x }));
                if i == 0 {
                    self.embedded_delta(&spec.token_embd, scale, x)?;
                }
            }
        }
        x = self.norm_in_place(spec.embd_norm.as_ref(), x);
        let inputs = spec.layer_inputs.as_ref().map(|l| self.layer_inputs(l, x)).transpose()?;
        for (i, layer) in spec.layers.iter().enumerate() {
            let (mixed, beside) = mixers::emit(self, phase, i, x)?;
            if let (Some(attention), Some(mixed)) = (&layer.beside, beside) {
                self.add_product(&attention.out, mixed, layer.attn_out_norm.as_ref(), x)?;
            }
            if spec.parallel {
                // Both parts read x before either adds to it.
                let inner = self.ffn_up(phase, &layer.ffn, layer.ffn_norm.as_ref(), x)?;
                self.add_product(layer.mixer.out(), mixed, layer.attn_out_norm.as_ref(), x)?;
                self.add_product(&layer.ffn.down, inner, layer.ffn_out_norm.as_ref(), x)?;
                continue;
            }
            self.add_product(layer.mixer.out(), mixed, layer.attn_out_norm.as_ref(), x)?;
            x = self.norm_in_place(layer.attn_post_norm.as_ref(), x);
            if layer.ffn.experts.is_some() {
                self.experts(phase, layer, x)?;
            } else {
                let inner = self.ffn_up(phase, &layer.ffn, layer.ffn_norm.as_ref(), x)?;
                self.add_product(&layer.ffn.down, inner, layer.ffn_out_norm.as_ref(), x)?;
            }
            x = self.norm_in_place(layer.ffn_post_norm.as_ref(), x);
            if let (Some(input), Some((view, len))) = (&layer.input, inputs) {
                let own = view.part(i * len, len);
                self.linear(&[&input.gate], x, None, Finish::Gate(Act::Gelu), own, 1.0)?;
                let y = self.take(x.cols);
                self.linear(&[&input.proj], own, None, Finish::Store, y, 1.0)?;
                let norm = self.norm_use(&input.norm);
                self.norm_step(y, x, norm, true, 1.0);
                self.free.push(y.buffer);
            }
            if let Some(by) = &layer.out_scale {
                let by = self.vector(vec![(0, by.clone())], 1);
                self.steps.push(Step::Scale(Scale { x, by }));
            }
        }
        if let Some((view, _)) = inputs {
            self.free.push(view.buffer);
        }
        Ok(x)
    }

    /// The inputs of all layers, side by side, and the length of one.
    fn layer_inputs(&mut self, l: &LayerInputs, x: View) -> Result<(View, usize), PlanError> {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let (raw, out) = (self.take(l.proj.rows), self.take(l.proj.rows));
        self.linear(&[&l.proj], x, None, Finish::Store, raw, 1.0 / (self.spec.width as f32).sqrt())?;
        let norm = self.norm_use(&l.norm);
        let parts = l.proj.rows / l.len;
        let part = |v: View| View { cols: l.len, ..v };
        let (input, to, rows) = (part(raw), part(out), Rows::Tokens);
        self.steps.push(Step::Norm(NormRows { input, out: to, norm, rows, parts, add: false, scale: half }));
        self.free.push(raw.buffer);
        let table = self.weight(&[&l.embd], false)?;
        let scale = (l.len as f32).sqrt() * half;
        self.steps.push(Step::Embed(Embed { table, index: Index::Id, add: true, scale, out }));
        Ok((out, l.len))
    }

    /// out (+)= scale * norm(input), row by row.
    fn norm_step(&mut self, input: View, out: View, norm: NormUse, add: bool, scale: f32) {
        self.steps.push(Step::Norm(NormRows { input, out, norm, rows: Rows::Tokens, parts: 1, add, scale }));
    }

    /// x += scale * norm(matrix * input); the input's buffer is free afterwards.
    fn add_product(
        &mut self,
        m: &Matrix,
        input: View,
        norm: Option<&Norm>,
        x: View,
    ) -> Result<(), PlanError> {
        let scale = self.spec.residual_scale;
        match norm {
            None => self.linear(&[m], input, None, Finish::Add, x, scale)?,
            Some(norm) => {
                let y = self.take(x.cols);
                self.linear(&[m], input, None, Finish::Store, y, 1.0)?;
                let norm = self.norm_use(norm);
                self.norm_step(y, x, norm, true, scale);
                self.free.push(y.buffer);
            }
        }
        self.free.push(input.buffer);
        Ok(())
    }

    /// The activated inner row of a block's feed-forward part.
    fn ffn_up(&mut self, phase: Phase, f: &Ffn, norm: Option<&Norm>, x: View) -> Result<View, PlanError> {
        let (input, norm) = self.normed(phase, norm, x);
        let inner = self.take(f.inner);
        match &same_format(&f.up)[..] {
            [gate, up] => {
                self.linear(up, input, norm, Finish::Store, inner, 1.0)?;
                self.linear(gate, input, norm, Finish::Gate(f.act), inner, 1.0)?;
            }
            groups => {
                let finish = if f.gated { Finish::Gated(f.act) } else { Finish::Act(f.act) };
                self.linear(&groups.concat(), input, norm, finish, inner, 1.0)?;
            }
        }
        self.give(input, x);
        Ok(inner)
    }

    /// x += the chosen experts of its norm.
    fn experts(&mut self, phase: Phase, layer: &Layer, x: View) -> Result<(), PlanError> {
        let (f, Some(e)) = (&layer.ffn, &layer.ffn.experts) else { return Ok(()) };
        let (input, norm) = self.normed(phase, layer.ffn_norm.as_ref(), x);
        let (logits, route) = (self.take(e.count), self.take(2 * e.used));
        self.linear(&[&e.router], input, norm, Finish::Store, logits, 1.0)?;
        let (experts, used, normalise, scale) = (e.count, e.used, e.normalise, e.scale);
        self.steps.push(Step::Route(Route { logits, out: route, experts, used, normalise, scale }));
        self.free.push(logits.buffer);
        let stride = f.inner.next_multiple_of(UNIT);
        let out = View { stride, cols: f.inner, ..self.take(e.used * stride) };
        if !std::ptr::eq(f.up[0].format, f.up[1].format) {
            return Err(PlanError::MixedExperts { tensor: f.up[1].tensor.clone() });
        }
        let weight = self.weight(&[&f.up[0], &f.up[1]], true)?;
        let (inner, act, bias) = (f.inner, f.act, self.bias(&[&f.up[0], &f.up[1]]));
        self.steps.push(Step::ExpertsUp(ExpertsUp {
            weight,
            input,
            norm,
            bias,
            route,
            used,
            inner,
            act,
            out,
        }));
        self.give(input, x);
        // It reads x too, before the others add to it.
        let shared = match &e.shared {
            Some(shared) => Some(self.shared_expert(phase, shared, layer.ffn_norm.as_ref(), x)?),
            None => None,
        };
        let weight = self.weight(&[&f.down], false)?;
        let (scale, bias) = (self.spec.residual_scale, self.bias(&[&f.down]));
        self.steps.push(Step::ExpertsDown(ExpertsDown {
            weight,
            bias,
            input: out,
            route,
            used,
            scale,
            out: x,
        }));
        self.free.extend([out.buffer, route.buffer]);
        if let (Some(shared), Some(inner)) = (&e.shared, shared) {
            self.add_product(&shared.ffn.down, inner, None, x)?;
        }
        Ok(())
    }

    /// The inner row of the expert that all tokens use, gated.
    fn shared_expert(
        &mut self,
        phase: Phase,
        shared: &SharedExpert,
        norm: Option<&Norm>,
        x: View,
    ) -> Result<View, PlanError> {
        let inner = self.ffn_up(phase, &shared.ffn, norm, x)?;
        if let Some(gate) = &shared.gate {
            let (input, norm) = self.normed(phase, norm, x);
            let by = self.take(1);
            self.linear(&[gate], input, norm, Finish::Store, by, 1.0)?;
            // The product with `down` has no bias, so its input may as well be gated.
            self.steps.push(Step::Gate(GateRows { x: inner, by }));
            self.give(input, x);
            self.free.push(by.buffer);
        }
        Ok(inner)
    }

    /// The input of a product: normalised now for many tokens, later for one.
    pub(crate) fn normed(&mut self, phase: Phase, norm: Option<&Norm>, x: View) -> (View, Option<NormUse>) {
        let Some(norm) = norm else { return (x, None) };
        let norm = self.norm_use(norm);
        if phase == Phase::Decode {
            return (x, Some(norm));
        }
        let out = self.take(x.cols);
        self.norm_step(x, out, norm, false, 1.0);
        (out, None)
    }

    /// Replaces the residual stream by its norm; the old buffer is free afterwards.
    fn norm_in_place(&mut self, norm: Option<&Norm>, x: View) -> View {
        let Some(norm) = norm else { return x };
        let norm = self.norm_use(norm);
        let out = self.take(x.cols);
        self.norm_step(x, out, norm, false, 1.0);
        self.free.push(x.buffer);
        out
    }

    /// From the residual stream to logits, or to the rows and the pooled row of an encoder.
    fn head(&mut self, x: View, io: &Io) -> Result<Option<(View, View)>, PlanError> {
        let spec = self.spec;
        if let Some(how) = spec.pooling {
            let mut rows = self.norm_in_place(spec.final_norm.as_ref(), x);
            // Pooling is linear: matrices after it may as well come before it, and serve the rows of tokens too.
            for m in &spec.dense {
                let out = self.take(m.rows);
                self.linear(&[m], rows, None, Finish::Store, out, 1.0)?;
                self.free.push(rows.buffer);
                rows = out;
            }
            let pooled = self.new_view("pooled", 1, rows.cols);
            self.steps.push(Step::Pool(Pool { input: rows, out: pooled, how }));
            return Ok(Some((rows, pooled)));
        }
        let (Some(head), Some(logits)) = (&spec.head, io.logits) else { return Ok(None) };
        let norm = spec.final_norm.as_ref().map(|n| self.norm_use(n));
        let weight = self.weight(&[head], false)?;
        let bias = self.bias(&[head]);
        let finish = if spec.logit_cap == 0.0 { Finish::Store } else { Finish::Cap };
        let (scale, cap, rows) = (spec.logit_scale, spec.logit_cap, Rows::Outputs);
        let (by_factor, delta) = (false, self.delta(&[head], x, norm, rows)?);
        self.steps.push(Step::Linear(Linear {
            weight,
            input: x,
            norm,
            bias,
            cap,
            scale,
            by_factor,
            finish,
            delta,
            out: logits,
            rows,
        }));
        self.free.extend(delta.map(|d| d.buffer));
        self.steps.push(Step::Top(Top { logits, top: io.top, ids: io.ids }));
        Ok(None)
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
        let (cap, by_factor, rows) = (0.0, false, Rows::Tokens);
        let delta = self.delta(m, input, norm, rows)?;
        self.steps.push(Step::Linear(Linear {
            weight,
            input,
            norm,
            bias,
            cap,
            scale,
            by_factor,
            finish,
            delta,
            out,
            rows,
        }));
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
    fn bias(&mut self, m: &[&Matrix]) -> Option<VectorId> {
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

    fn buffer(&mut self, name: &str, len: usize) -> BufferId {
        let id = BufferId(self.buffers.len());
        self.buffers.push(Buffer { name: name.to_owned(), len: len.next_multiple_of(4).max(4) });
        id
    }

    /// Rows of `cols` values for every token of a slice; an idle buffer that is large enough, or a new one.
    pub(crate) fn take(&mut self, cols: usize) -> View {
        let stride = cols.next_multiple_of(UNIT);
        let need = stride * self.options.slice_tokens;
        let fits = self.free.iter().enumerate().filter(|(_, id)| self.buffers[id.0].len >= need);
        if let Some((i, _)) = fits.min_by_key(|(_, id)| self.buffers[id.0].len) {
            return View { buffer: self.free.swap_remove(i), offset: 0, stride, cols };
        }
        let buffer = self.buffer(&format!("act{}", self.buffers.len()), need);
        View { buffer, offset: 0, stride, cols }
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
