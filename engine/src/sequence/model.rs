//! A model on a device, and the sequences that share its KV cache.

use std::rc::Rc;

use super::error::Error;
use super::pages::PagePool;
use crate::backend::{Body, Device, Executor, State};
use crate::plan::Plan;

/// What a loaded model is.
#[derive(Debug, Clone)]
pub struct ModelInfo {
    /// `general.architecture`.
    pub architecture: String,
    /// `general.name`, or the architecture.
    pub title: String,
    /// True for a model that gives vectors, not text.
    pub encoder: bool,
    /// Ids are below this.
    pub vocab: usize,
    /// Positions reserved.
    pub context_tokens: usize,
    /// Values of an embedding.
    pub embedding_len: usize,
    /// Bytes of weights on the device.
    pub weights_bytes: u64,
    /// Bytes of the KV cache.
    pub kv_bytes: u64,
}

/// An adapter of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdapterId(usize);

impl AdapterId {
    pub(super) fn last_of(plan: &Plan) -> Self {
        AdapterId(plan.adapters.len())
    }
}

/// An adapter and how strongly it acts: 1 as it was trained, 0 not at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdapterUse {
    /// Which.
    pub id: AdapterId,
    /// Factor of what it adds.
    pub factor: f32,
}

/// A model on a device.
pub struct Model {
    plan: Rc<Plan>,
    executor: Executor,
    device: Device,
    info: ModelInfo,
    pool: PagePool,
    /// For sequences to come.
    adapter: Option<AdapterUse>,
    /// Free places for states.
    slots: Vec<u32>,
    /// The sequence whose page table the device holds.
    bound: Option<u64>,
    next_id: u64,
}

/// Tokens that a model has seen, and the pages that hold their keys and values. End it with [`Model::end`].
#[derive(Debug)]
pub struct Sequence {
    id: u64,
    pages: Vec<u32>,
    slot: Option<u32>,
    adapter: Option<AdapterUse>,
    len_tokens: usize,
}

impl Sequence {
    /// Tokens fed so far.
    pub fn len_tokens(&self) -> usize {
        self.len_tokens
    }

    /// Which of the plan's bodies runs it.
    fn body(&self) -> usize {
        self.adapter.map_or(0, |a| a.id.0)
    }

    /// What of a run's state stays the same.
    fn state(&self) -> State {
        let factor = self.adapter.map_or(0.0, |a| a.factor);
        State { slot: self.slot.unwrap_or(0), factor, ..State::default() }
    }
}

impl Model {
    pub(super) fn new(plan: Rc<Plan>, executor: Executor, device: Device) -> Self {
        let spec = &plan.spec;
        let rows = plan.bodies.first().and_then(|b| b.rows);
        let info = ModelInfo {
            architecture: spec.architecture.clone(),
            title: spec.title.clone(),
            encoder: spec.pooling.is_some(),
            vocab: spec.vocab,
            context_tokens: plan.options.context_tokens,
            embedding_len: rows.map_or(spec.width, |(_, pooled)| pooled.cols),
            weights_bytes: plan.weights_bytes(),
            kv_bytes: plan.kv_bytes,
        };
        let pool = PagePool::new(plan.kv_pages);
        let slots = (0..plan.state_slots.unwrap_or(0) as u32).collect();
        Model { plan, executor, device, info, pool, adapter: None, slots, bound: None, next_id: 0 }
    }

    /// What it is.
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// Where it is.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Most tokens in one [`Self::feed`].
    pub fn slice_tokens(&self) -> usize {
        self.plan.options.slice_tokens
    }

    /// Dispatches of one decode step.
    pub fn decode_steps(&self) -> usize {
        self.plan.bodies.first().map_or(0, |b| b.decode.len() + b.head.len())
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(super) fn set_plan(&mut self, plan: Rc<Plan>) {
        self.plan = plan;
    }

    pub(super) fn executor(&mut self) -> &mut Executor {
        &mut self.executor
    }

    /// Sequences that begin from now on, and embeddings, use this adapter, or none.
    ///
    /// # Errors
    /// `UnknownAdapter` for one that this model does not have.
    pub fn use_adapter(&mut self, adapter: Option<AdapterUse>) -> Result<(), Error> {
        if adapter.is_some_and(|a| a.id.0 >= self.plan.bodies.len()) {
            return Err(Error::UnknownAdapter);
        }
        self.adapter = adapter;
        Ok(())
    }

    /// The rows of an encoder under the adapter in use.
    fn rows(&self) -> Option<(crate::plan::View, crate::plan::View)> {
        self.plan.bodies.get(self.adapter.map_or(0, |a| a.id.0)).and_then(|b| b.rows)
    }

    /// A new, empty sequence.
    pub fn begin(&mut self) -> Sequence {
        self.next_id += 1;
        Sequence { id: self.next_id, pages: Vec::new(), slot: None, adapter: self.adapter, len_tokens: 0 }
    }

    /// Gives a sequence's pages back.
    pub fn end(&mut self, sequence: Sequence) {
        if self.bound == Some(sequence.id) {
            self.bound = None;
        }
        self.pool.release(sequence.pages);
        self.slots.extend(sequence.slot);
    }

    /// Appends tokens; one submission. Afterwards [`Self::top`] and [`Self::logits`] speak of the last of them.
    pub fn feed(&mut self, sequence: &mut Sequence, ids: &[u32]) -> Result<(), Error> {
        if self.info.encoder {
            return Err(Error::NotThisModel { what: "continue text" });
        }
        let last = ids.len().saturating_sub(1) as u32;
        self.run(sequence, ids, last, 1, true)
    }

    /// The id with the largest logit.
    pub async fn top(&mut self) -> Result<u32, Error> {
        Ok(self.executor.top().await?)
    }

    /// The logits after the last token, `[vocab]`.
    pub async fn logits(&mut self, out: &mut Vec<f32>) -> Result<(), Error> {
        let view = self.plan.logits.ok_or(Error::NotThisModel { what: "give logits" })?;
        Ok(self.executor.read(view, 1, out).await?)
    }

    /// The pooled vector of a text, not normalised.
    pub async fn embed(&mut self, ids: &[u32]) -> Result<Vec<f32>, Error> {
        let (_, pooled) = self.rows().ok_or(Error::NotThisModel { what: "give embeddings" })?;
        self.encode(ids)?;
        let mut out = Vec::new();
        self.executor.read(pooled, 1, &mut out).await?;
        Ok(out)
    }

    /// Rows of logits after each position from `first` on, then one row for each id of `decode`, fed one at a time.
    /// Of an encoder: the pooled vector, then a row per token.
    pub async fn evaluate(
        &mut self,
        ids: &[u32],
        first: usize,
        decode: &[u32],
    ) -> Result<Vec<Vec<f32>>, Error> {
        if let Some((rows, pooled)) = self.rows() {
            self.encode(ids)?;
            let mut all = self.read_rows(pooled, 1).await?;
            all.extend(self.read_rows(rows, ids.len()).await?);
            return Ok(all);
        }
        let mut sequence = self.begin();
        let rows = self.evaluate_in(&mut sequence, ids, first, decode).await;
        self.end(sequence);
        rows
    }

    async fn evaluate_in(
        &mut self,
        sequence: &mut Sequence,
        ids: &[u32],
        first: usize,
        decode: &[u32],
    ) -> Result<Vec<Vec<f32>>, Error> {
        let logits = self.plan.logits.ok_or(Error::NotThisModel { what: "give logits" })?;
        let mut rows = Vec::new();
        for slice in ids.chunks(self.slice_tokens()) {
            let start = sequence.len_tokens;
            self.run(sequence, slice, 0, 1, false)?;
            let mut row = first.saturating_sub(start);
            while row < slice.len() {
                let count = self.plan.options.logits_rows.min(slice.len() - row);
                let tokens = slice.len() as u32;
                let (out_first, out_rows) = (row as u32, count as u32);
                let state = State { tokens, position: start as u32, out_first, out_rows, ..sequence.state() };
                self.executor.run(state, &[], sequence.body(), Body::Nothing, true)?;
                rows.extend(self.read_rows(logits, count).await?);
                row += count;
            }
        }
        for &id in decode {
            self.feed(sequence, &[id])?;
            rows.extend(self.read_rows(logits, 1).await?);
        }
        Ok(rows)
    }

    async fn read_rows(&mut self, view: crate::plan::View, rows: usize) -> Result<Vec<Vec<f32>>, Error> {
        let mut flat = Vec::new();
        self.executor.read(view, rows, &mut flat).await?;
        Ok(flat.chunks_exact(view.cols).map(<[f32]>::to_vec).collect())
    }

    fn encode(&mut self, ids: &[u32]) -> Result<(), Error> {
        let mut sequence = self.begin();
        let result = self.run(&mut sequence, ids, 0, 1, true);
        self.end(sequence);
        result
    }

    fn run(
        &mut self,
        s: &mut Sequence,
        ids: &[u32],
        out_first: u32,
        out_rows: u32,
        head: bool,
    ) -> Result<(), Error> {
        let (vocab, context_tokens) = (self.info.vocab, self.info.context_tokens);
        if s.len_tokens + ids.len() > context_tokens {
            return Err(Error::ContextFull { context_tokens });
        }
        if ids.is_empty() || ids.len() > self.slice_tokens() {
            return Err(Error::BadSlice { tokens: ids.len(), max: self.slice_tokens() });
        }
        if let Some(&id) = ids.iter().find(|&&id| id as usize >= vocab) {
            return Err(Error::UnknownToken { id, vocab });
        }
        let grew = self.pool.reserve(&mut s.pages, s.len_tokens + ids.len())?;
        if grew || self.bound != Some(s.id) {
            self.executor.upload_pages(&s.pages);
            self.bound = Some(s.id);
        }
        if s.slot.is_none() && self.plan.state_slots.is_some() {
            let pages = self.plan.state_slots.unwrap_or(0);
            s.slot = Some(self.slots.pop().ok_or(Error::CacheFull { pages })?);
        }
        let (tokens, position) = (ids.len() as u32, s.len_tokens as u32);
        let state = State { tokens, position, out_first, out_rows, ..s.state() };
        let decodes = self.plan.bodies.first().is_some_and(|b| !b.decode.is_empty());
        let body = if ids.len() == 1 && decodes { Body::Decode } else { Body::Prefill };
        self.executor.run(state, ids, s.body(), body, head)?;
        s.len_tokens += ids.len();
        Ok(())
    }
}
