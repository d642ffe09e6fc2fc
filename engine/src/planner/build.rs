//! Model -> plan.

use super::builder::{Builder, Phase};
use super::error::PlanError;
use super::{Bodies, Plan, mixers, transfer};
use crate::formats::UNIT;
use crate::gguf::Header;
use crate::kernels::{ChunkTops, PickTop, Sample, Shortlist, Step};
use crate::models::{Attention, Lora, Mixer, ModelSpec};
use crate::plan::{
    BufferId, CHUNK, Kv, Layout, Limits, Options, SAMPLING_WORDS, SHORTLIST, STATE_SLOTS_MAX, TOKEN_WORDS,
    View,
};

/// Bytes that the states of recurrent mixers may take, of all sequences together. Two sequences may take more.
const STATES_BYTES: usize = 128 << 20;

/// Lays out `spec` for a device with `limits`.
///
/// # Errors
/// `TooLarge` where a buffer exceeds the limits and cannot be split, `RowTooLong` for a row that exceeds a transfer
/// buffer, `MixedExperts`.
pub fn build(spec: ModelSpec, header: &Header, options: Options, limits: &Limits) -> Result<Plan, PlanError> {
    lay_out(spec, Vec::new(), header, options, limits, 0)
}

/// `plan` with one more adapter, whose header this is. What the plan had keeps its place; the transfers are those of the
/// adapter's file.
///
/// # Errors
/// As [`build`].
pub fn extend(plan: &Plan, lora: Lora, header: &Header) -> Result<Plan, PlanError> {
    let loras = plan.loras.iter().cloned().chain([lora]).collect();
    lay_out(
        plan.spec.clone(),
        loras,
        header,
        plan.layout.options,
        &plan.layout.limits,
        plan.layout.weights.len(),
    )
}

/// `first`: weights before this one have been loaded, and so have the vectors if there are any.
fn lay_out(
    spec: ModelSpec,
    loras: Vec<Lora>,
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
    for lora in &loras {
        bodies.push(b.bodies(Some(lora), logits)?);
    }
    b.check_buffers()?;
    let transfers = if first == 0 {
        let divisors = spec.ropes.first().and_then(|r| r.divisors.as_ref());
        let divisors = divisors.map(|d| d.of(b.options.context_tokens));
        transfer::transfers(header, &b.weights, 0, &b.vectors, divisors)?
    } else {
        transfer::transfers(header, &b.weights, first, &[], None)?
    };
    let layout = Layout {
        options: b.options,
        limits: *limits,
        vectors_len: b.vectors_len.next_multiple_of(UNIT).max(UNIT),
        kv_pages: b.kv_pages,
        pages_len,
        state_slots: spec.is_recurrent().then_some(b.state_slots()),
        kv: b.kv_buffers,
        pools: b.pools,
        weights: b.weights,
        vectors: b.vectors,
        buffers: b.buffers,
        tokens,
        pages,
        ropes: b.ropes,
        logits,
        chosen,
        sampling,
    };
    Ok(Plan { spec, loras, layout, transfers, greedy, sampled, bodies })
}

impl<'a> Builder<'a> {
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
            Step::PickTop(PickTop { candidates, chunks, chosen, tokens }),
        ];
        let sampled = vec![
            Step::Shortlist(Shortlist { logits, sampling, candidates, chunks }),
            Step::Sample(Sample { logits, sampling, candidates, chunks, chosen, tokens }),
        ];
        (greedy, sampled)
    }

    /// All steps, with an adapter or without.
    fn bodies(&mut self, lora: Option<&'a Lora>, logits: Option<View>) -> Result<Bodies, PlanError> {
        self.lora = lora;
        // Tensors of different adapters share names.
        let own_ids = lora.map(|_| self.weight_ids.clone());
        let x = self.take(self.spec.hidden_size);
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

    /// Sequences that can keep the states of their mixers at the same time: as many as can go on together, and take no more than
    /// [`STATES_BYTES`], but two in any case.
    fn state_slots(&self) -> usize {
        let lens = self.spec.layers.iter().flat_map(|layer| mixers::state_lens(&layer.mixer));
        let fitting = STATES_BYTES / (4 * lens.sum::<usize>()).max(1);
        fitting.min(self.options.sequences).clamp(2, STATE_SLOTS_MAX)
    }

    /// One pair of pools per layer with attention, one pair for all where nothing outlives the slice; states of the
    /// other layers.
    fn caches(&mut self) {
        let (spec, slots) = (self.spec, self.state_slots());
        for (i, layer) in spec.layers.iter().enumerate() {
            let lens = mixers::state_lens(&layer.mixer);
            let states = lens.iter().map(|len| self.buffer(&format!("state{i}"), slots * len)).collect();
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
                Some(a) => match (a.cache_of, self.idle_pools(a)) {
                    (Some(other), _) => self.kv[other],
                    (None, Some(pools)) => pools,
                    _ => {
                        let mut kv = Kv { heads: a.kv_heads, head_len: a.head_len, ..none };
                        kv.keys = self.buffer(&format!("k{i}"), kv.words());
                        kv.values = self.buffer(&format!("v{i}"), kv.words());
                        self.kv_buffers.extend([kv.keys, kv.values]);
                        self.pools.push(kv);
                        kv
                    }
                },
                None => none,
            };
            self.kv_buffers.extend(self.states[i].clone());
            self.kv.push(kv);
        }
    }

    /// Pools of another layer that this one can write over: an encoder's keys and values do not outlive their layer.
    fn idle_pools(&self, a: &Attention) -> Option<Kv> {
        let encodes = self.spec.pooling.is_some();
        self.kv.iter().find(|kv| encodes && kv.heads == a.kv_heads && kv.head_len == a.head_len).copied()
    }
}
