//! A model on a device, and the sequences that share its KV cache.

mod kept;
mod lora;
mod outputs;
mod run;
mod sequence;

pub use lora::{LoraId, LoraUse};
pub use sequence::Sequence;

use std::rc::Rc;

use super::error::Error;
use super::pacing::Pace;
use super::pages::{BodyKey, PagePool, Trail};
use crate::backend::{Device, Executor, RING};
use crate::plan::{Memory, SHORTLIST, STEPS_MAX, Token, View};
use crate::planner::Plan;
use crate::sampler::{Sampler, SamplerOptions};

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

/// A model on a device.
pub struct Model {
    plan: Rc<Plan>,
    executor: Executor,
    device: Device,
    info: ModelInfo,
    pool: PagePool,
    /// How much it does at a time.
    pub(super) pace: Pace,
    /// For sequences to come.
    lora: Option<LoraUse>,
    /// Free places for states.
    slots: Vec<u32>,
    /// The sequences whose page tables the device holds, and how long these are.
    bound: Vec<(u64, usize)>,
    /// The sequences whose histories the device holds, and how what follows them is drawn.
    drawn: Vec<u64>,
    /// The sequences whose next tokens the device holds, because it chose them.
    ahead: Vec<u64>,
    /// The last choice that was asked for.
    last: Option<Choice>,
    records: Vec<Token>,
    tables: Vec<u32>,
    next_id: u64,
}

/// What a run chose, or will have chosen once it is through: see [`Model::chosen`]. At most [`Model::CHOICES_MAX`] can be
/// outstanding; older ones are overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    place: usize,
    rows: usize,
    steps: usize,
}

impl Choice {
    /// How many ids it has: for every step one of each row.
    pub fn len(&self) -> usize {
        self.rows * self.steps
    }

    /// True for no rows, which no run gives.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Which tokens of a slice have outputs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outputs {
    None,
    /// The last of each sequence.
    Last,
    /// All.
    All,
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
            context_tokens: plan.layout.options.context_tokens,
            embedding_len: rows.map_or(spec.hidden_size, |(_, pooled)| pooled.cols),
            weights_bytes: plan.layout.weights_bytes(),
            kv_bytes: plan.layout.kv_bytes(),
        };
        let pool =
            PagePool::new(plan.layout.kv_pages, spec.pooling.is_none() && plan.layout.state_slots.is_none());
        let slots = (0..plan.layout.state_slots.unwrap_or(0) as u32).collect();
        let pace = Pace::new(&device, plan.layout.options.slice_tokens, STEPS_MAX);
        Model {
            plan,
            executor,
            device,
            info,
            pool,
            pace,
            lora: None,
            slots,
            bound: Vec::new(),
            drawn: Vec::new(),
            ahead: Vec::new(),
            last: None,
            records: Vec::new(),
            tables: Vec::new(),
            next_id: 0,
        }
    }

    /// Choices that can be outstanding.
    pub const CHOICES_MAX: usize = RING - 1;

    /// Most steps of one [`Self::go_on`].
    pub const STEPS_MAX: usize = STEPS_MAX;

    /// What it is.
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// Where it is.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// What it takes on the device, adapters included.
    pub fn memory(&self) -> Memory {
        self.executor.memory()
    }

    /// Most tokens in one [`Self::feed`].
    pub fn slice_tokens(&self) -> usize {
        self.plan.layout.options.slice_tokens
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
    /// `UnknownLora` for one that this model does not have.
    pub fn use_lora(&mut self, lora: Option<LoraUse>) -> Result<(), Error> {
        if lora.is_some_and(|a| a.id.0 >= self.plan.bodies.len()) {
            return Err(Error::UnknownLora);
        }
        self.lora = lora;
        Ok(())
    }

    /// The rows of an encoder under the adapter in use.
    fn rows(&self) -> Option<(View, View)> {
        self.plan.bodies.get(self.lora.map_or(0, |a| a.id.0)).and_then(|b| b.rows)
    }

    /// A new, empty sequence.
    pub fn begin(&mut self) -> Sequence {
        self.next_id += 1;
        let lora = self.lora;
        let key = |a: LoraUse| BodyKey { body: a.id.0, factor_bits: a.factor.to_bits() };
        Sequence {
            id: self.next_id,
            pages: Vec::new(),
            trail: Trail::new(lora.map(key).unwrap_or_default()),
            slot: None,
            lora,
            len_tokens: 0,
            ids: Vec::new(),
            sampler: None,
        }
    }

    /// A new sequence that begins with as much of `ids` as the cache still has from others, which is whole pages and
    /// never all of it: the caller feeds what follows [`Sequence::len_tokens`].
    pub fn begin_with(&mut self, ids: &[u32]) -> Sequence {
        let mut sequence = self.begin();
        sequence.pages = self.pool.adopt(&mut sequence.trail, ids);
        sequence.len_tokens = sequence.trail.len_tokens();
        sequence.ids.extend_from_slice(&ids[..sequence.len_tokens]);
        sequence
    }

    /// Ends a sequence and puts another one in its place, as [`Self::begin_with`] begins it, which goes on with the same adapter and
    /// draws what follows as that one did.
    pub(super) fn begin_again(&mut self, sequence: &mut Sequence, ids: &[u32]) {
        let (lora, sampler) = (sequence.lora, sequence.sampler.take());
        let before = std::mem::replace(&mut self.lora, lora);
        let again = self.begin_with(ids);
        self.lora = before;
        self.end(std::mem::replace(sequence, Sequence { sampler, ..again }));
    }

    /// Lets others begin with what a sequence has. `ids` are its tokens from the first on, as far as they are known and
    /// will not be taken back.
    pub fn settle(&mut self, sequence: &mut Sequence, ids: &[u32]) {
        let len_tokens = ids.len().min(sequence.len_tokens);
        if sequence.trail.len_tokens() < len_tokens {
            self.pool.settle(&sequence.pages, &mut sequence.trail, &ids[..len_tokens]);
        }
    }

    /// Gives a sequence's pages back.
    pub fn end(&mut self, sequence: Sequence) {
        self.bound.retain(|(id, _)| *id != sequence.id);
        self.pool.release(sequence.pages);
        self.slots.extend(sequence.slot);
    }

    /// Sequences that can go on in one step.
    pub fn sequences_max(&self) -> usize {
        self.plan.layout.sequences_max()
    }

    /// Most tokens of one [`Self::verify`].
    pub fn verify_max(&self) -> usize {
        if self.plan.layout.state_slots.is_some() { 1 } else { self.plan.layout.options.logits_rows }
    }

    /// True where the device can draw with these options: from no more than a short list, with no longer history.
    pub fn can_draw(&self, options: &SamplerOptions) -> bool {
        let short = (1..=SHORTLIST).contains(&options.top_k) || options.temperature == 0.0;
        self.device.draws()
            && short
            && options.has_no_bias()
            && (options.repetition_penalty == 1.0 || options.repetition_window <= SHORTLIST)
    }

    /// From now on what follows the sequence is drawn with these options, on the device; without them it is the largest
    /// logit. [`Self::verify`] goes by the largest logit in any case.
    ///
    /// # Errors
    /// `NotThisModel` where [`Self::can_draw`] says no, `Sampler` for options that are none.
    pub fn draw_with(
        &mut self,
        sequence: &mut Sequence,
        options: Option<SamplerOptions>,
    ) -> Result<(), Error> {
        if options.as_ref().is_some_and(|options| !self.can_draw(options)) {
            return Err(Error::NotThisModel { what: "draw from so many tokens on the device" });
        }
        sequence.sampler = options.map(Sampler::new).transpose()?;
        self.drawn.clear();
        Ok(())
    }

    /// Appends tokens without asking what follows; one submission. What it gives is no choice, but can be waited for with
    /// [`Self::chosen`] to learn when it is through.
    ///
    /// # Errors
    /// As [`Self::feed`].
    pub fn prefill(&mut self, sequence: &mut Sequence, ids: &[u32]) -> Result<Choice, Error> {
        self.run(&mut [sequence], &[ids], Outputs::None, 1)
    }

    /// Appends tokens and chooses what follows; one submission. Afterwards [`Self::logits`] speaks of the last of them.
    ///
    /// # Errors
    /// `ContextFull`, `CacheFull`; `BadSlice` for no tokens or more than [`Self::slice_tokens`]; `UnknownToken`;
    /// `NotThisModel` for an embedding model; `Device` where the device fails.
    pub fn feed(&mut self, sequence: &mut Sequence, ids: &[u32]) -> Result<Choice, Error> {
        self.run(&mut [sequence], &[ids], Outputs::Last, 1)
    }

    /// Appends one token to each of several sequences, and chooses what follows each; one submission.
    ///
    /// # Errors
    /// As [`Self::feed`]; also `NotThisModel` for more than [`Self::sequences_max`], or for sequences with different adapters.
    pub fn feed_each(&mut self, sequences: &mut [&mut Sequence], ids: &[u32]) -> Result<Choice, Error> {
        let ids: Vec<&[u32]> = ids.chunks(1).collect();
        self.run(sequences, &ids, Outputs::Last, 1)
    }

    /// Appends what was chosen last, chooses again, and so on, `steps` times in one submission without the host. The
    /// sequences are those of the last run, which gave a [`Choice`] of what follows each.
    ///
    /// # Errors
    /// As [`Self::feed`]; also `NothingChosen` where these sequences are not those of the last run, or have been rewound since.
    pub fn go_on(&mut self, sequences: &mut [&mut Sequence], steps: usize) -> Result<Choice, Error> {
        self.run(sequences, &[], Outputs::Last, steps.clamp(1, STEPS_MAX))
    }

    /// Appends tokens and chooses what follows each of them, so that a guess can be compared with it; one submission.
    /// [`Self::rewind`] takes back what was guessed wrong.
    ///
    /// # Errors
    /// As [`Self::feed`]; also `BadSlice` for more than [`Self::verify_max`].
    pub fn verify(&mut self, sequence: &mut Sequence, ids: &[u32]) -> Result<Choice, Error> {
        if ids.len() > self.verify_max() {
            return Err(Error::BadSlice { tokens: ids.len(), max: self.verify_max() });
        }
        self.run(&mut [sequence], &[ids], Outputs::All, 1)
    }

    /// The ids that a run chose: for every step, one of each row. Waits until it is through.
    ///
    /// # Errors
    /// `Device` where the device is lost or gives nothing back.
    pub async fn chosen(&mut self, choice: Choice, out: &mut Vec<u32>) -> Result<(), Error> {
        Ok(self.executor.chosen(choice.place, choice.len(), out).await?)
    }

    /// Forgets the tokens of a sequence from position `len_tokens` on. Returns how many are left: fewer than that where
    /// another sequence has begun with the page that this one would have to write to.
    ///
    /// # Errors
    /// `NotThisModel` where a mixer keeps a state: that cannot be taken back.
    pub fn rewind(&mut self, sequence: &mut Sequence, len_tokens: usize) -> Result<usize, Error> {
        if len_tokens >= sequence.len_tokens {
            return Ok(sequence.len_tokens);
        }
        if self.plan.layout.state_slots.is_some() && len_tokens > 0 {
            return Err(Error::NotThisModel { what: "take tokens back" });
        }
        let before = sequence.pages.len();
        sequence.len_tokens = self.pool.rewind(&mut sequence.pages, &mut sequence.trail, len_tokens);
        sequence.ids.truncate(sequence.len_tokens);
        if sequence.pages.len() < before {
            self.bound.clear();
        }
        self.ahead.clear();
        Ok(sequence.len_tokens)
    }

    /// Something else follows than what the last run chose: nothing goes on with that.
    pub(super) fn drop_choice(&mut self) {
        self.ahead.clear();
    }

    /// The last id that the last run chose.
    ///
    /// # Errors
    /// `NothingChosen` before the first choice; else as [`Self::chosen`].
    pub async fn top(&mut self) -> Result<u32, Error> {
        let choice = self.last.ok_or(Error::NothingChosen)?;
        let mut ids = Vec::new();
        self.chosen(choice, &mut ids).await?;
        ids.last().copied().ok_or(Error::NothingChosen)
    }

    /// The logits after the last token, `[vocab]`; of the first sequence, where several were fed.
    ///
    /// # Errors
    /// `NotThisModel` for an embedding model; `Device` where the device fails.
    pub async fn logits(&mut self, out: &mut Vec<f32>) -> Result<(), Error> {
        let view = self.plan.layout.logits.ok_or(Error::NotThisModel { what: "give logits" })?;
        Ok(self.executor.read(view, 1, out).await?)
    }
}
