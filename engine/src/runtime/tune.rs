//! Finds the fastest shapes of kernels for a model on its device, by trying them on its own matrices.

use super::error::Error;
use super::model::Model;
use crate::backend::{DeviceError, Trial};
use crate::kernels::{choices, dispatches};
use crate::plan::{State, Token};
use crate::planner::Plan;
use crate::shaders::{Batch, Choice, Dispatch, Tuning};

/// How much is tried of what a model runs: for many tokens products until they have multiplied by so many weights, for one until
/// they have read so many bytes of them, which must not fit the device's caches; and so many other steps.
const MANY_PRODUCTS: u64 = 24 << 20;
const ONE_BYTES: u64 = 256 << 20;
const STEPS: usize = 8;
/// Single tokens that follow a slice of a prompt, on average.
const ONES_PER_SLICE: f64 = 32.0;
/// Positions before those that are tried.
const DEPTH_TOKENS: usize = 512;
/// How long a measurement takes at least, if that is not too many runs.
const MEASUREMENT_MS: f64 = 20.0;
const RUNS_MAX: usize = 64;
/// Measurements of a shape, in turn with the others: so many, and on while a short one becomes faster, since a GPU takes a while to
/// reach its full speed. The least counts.
const ROUNDS: usize = 3;
const ROUNDS_MAX: usize = 8;
/// What takes long, and so many times as long as the fastest, is not measured further.
const HOPELESS: f64 = 2.0;
/// By how much another shape must be faster than the one in use.
const GAIN_MIN: f64 = 1.03;
/// Bytes of a buffer that is copied: two of them are more than GPUs have of caches.
const COPY_BYTES: u64 = 64 << 20;
/// Copies at first, and at most.
const COPIES_MIN: usize = 2;
const COPIES_MAX: usize = 512;
/// How long copies are to take, so that asking for them counts little.
const COPIES_MS: f64 = 20.0;

/// Tries shapes, one measurement at a time, so that other work can come between them. The model goes on with the shapes that it was
/// loaded with; those that were found are for the next load.
pub struct Tuner {
    tuning: Tuning,
    results: Vec<Tried>,
    current: Option<Contest>,
    /// Of all choices, the next to be tried.
    next: usize,
}

/// A choice that was tried.
#[derive(Debug, Clone)]
pub struct Tried {
    /// The step's name.
    pub step: &'static str,
    /// Different shapes, with what each took. The first one is that of the model.
    pub shapes: Vec<TriedShape>,
    /// Which of them is the fastest: the first, unless another one is clearly faster.
    pub fastest: usize,
}

/// A shape that was tried.
#[derive(Debug, Clone)]
pub struct TriedShape {
    /// The shape.
    pub tuning: Tuning,
    /// What it took; nothing where it does not compile.
    pub times: Vec<TriedTime>,
}

/// What a shape took.
#[derive(Debug, Clone, Copy)]
pub struct TriedTime {
    /// For how many tokens.
    pub batch: Batch,
    /// How many they were.
    pub tokens: usize,
    /// Of one run of all that was tried.
    pub ms: f64,
    /// Of weights that were read.
    pub weight_bytes: u64,
    /// Multiplications with weights, each with an addition.
    pub products: u64,
}

/// The shapes of one choice.
struct Contest {
    step: &'static str,
    entries: Vec<Entry>,
    measured: usize,
    /// Whether one became faster in this round.
    is_unsteady: bool,
}

struct Entry {
    tuning: Tuning,
    lists: Vec<(Batch, Vec<Dispatch>, u64)>,
    /// Compiled, with how often each runs in a measurement.
    trials: Vec<(Trial, usize)>,
    times: Vec<TriedTime>,
    is_out: bool,
}

impl Tuner {
    /// Nothing where kernels have one shape.
    pub fn new(model: &Model) -> Option<Tuner> {
        let tuning = model.device().tuning()?;
        Some(Tuner { tuning, results: Vec::new(), current: None, next: 0 })
    }

    /// Takes the next measurement; `now_ms` is a clock. False where all are taken. No run may be under way.
    ///
    /// # Errors
    /// `Device` where the device fails.
    pub async fn step(&mut self, model: &mut Model, now_ms: &dyn Fn() -> f64) -> Result<bool, Error> {
        model.drop_choice();
        let Some(contest) = &mut self.current else { return Ok(self.begin(model)) };
        if contest.go_on(model, now_ms).await? {
            return Ok(true);
        }
        if let Some(tried) = self.current.take().map(Contest::end) {
            self.tuning = tried.shapes.get(tried.fastest).map_or(self.tuning, |shape| shape.tuning);
            self.results.push(tried);
        }
        Ok(true)
    }

    fn begin(&mut self, model: &Model) -> bool {
        let Some(choice) = choices(&self.tuning).into_iter().nth(self.next) else { return false };
        self.next += 1;
        self.current = Some(Contest::new(model.plan(), choice, self.tuning));
        true
    }

    /// The fastest shapes so far.
    pub fn tuning(&self) -> Tuning {
        self.tuning
    }

    /// What was tried so far.
    pub fn results(&self) -> &[Tried] {
        &self.results
    }

    /// Bytes per second that the device copies from buffer to buffer, each counted once for reading and once for writing.
    ///
    /// # Errors
    /// `Device` where the device fails.
    pub async fn copy_speed(model: &mut Model, now_ms: &dyn Fn() -> f64) -> Result<Option<f64>, Error> {
        let Some(gpu) = model.executor().webgpu() else { return Ok(None) };
        let mut first_ms = f64::INFINITY;
        for _ in 0..ROUNDS {
            first_ms = first_ms.min(gpu.time_copies(COPY_BYTES, COPIES_MIN, now_ms).await?);
        }
        let (mut copies, mut ms) = (COPIES_MIN, first_ms);
        while ms < COPIES_MS && copies < COPIES_MAX {
            copies *= 4;
            ms = gpu.time_copies(COPY_BYTES, copies, now_ms).await?;
        }
        // What many take more than few is all theirs; the rest is the way there and back.
        if copies > COPIES_MIN {
            (copies, ms) = (copies - COPIES_MIN, ms - first_ms);
        }
        let bytes = 2 * COPY_BYTES * copies as u64;
        Ok((ms > 0.0).then(|| bytes as f64 / (ms / 1e3)))
    }
}

impl Contest {
    fn new(plan: &Plan, choice: Choice, current: Tuning) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        let others = choice.shapes.into_iter().filter(|shape| *shape != current);
        for tuning in [current].into_iter().chain(others) {
            let batches = choice.batches.iter().copied().filter(|batch| *batch != Batch::Few);
            let lists = batches.map(|batch| list(plan, choice.step, batch, &tuning));
            let lists: Vec<_> = lists.filter(|(_, list, _)| !list.is_empty()).collect();
            // Some shapes are the same for the sizes of this model.
            let is_new = entries.iter().all(|known| known.lists != lists);
            if is_new && !lists.is_empty() {
                entries.push(Entry { tuning, lists, trials: Vec::new(), times: Vec::new(), is_out: false });
            }
        }
        Contest { step: choice.step, entries, measured: 0, is_unsteady: false }
    }

    /// Prepares a shape or measures one. False where that was all.
    async fn go_on(&mut self, model: &mut Model, now_ms: &dyn Fn() -> f64) -> Result<bool, Error> {
        let count = self.entries.len();
        // Without another shape there is nothing to measure.
        if count < 2 {
            return Ok(false);
        }
        let (round, at) = (self.measured / count, self.measured % count);
        if at == 0 {
            let more = std::mem::take(&mut self.is_unsteady) && round <= ROUNDS_MAX;
            if round > ROUNDS && !more {
                return Ok(false);
            }
        }
        let least = self.entries.iter().filter_map(Entry::cost_ms).fold(f64::INFINITY, f64::min);
        let entry = &mut self.entries[at];
        self.measured += 1;
        // Short ones cost little, and a device that did not run at its full speed yet makes them seem hopeless.
        let is_long = entry.trials.iter().any(|(_, runs)| *runs == 1);
        entry.is_out |= is_long && entry.cost_ms().is_some_and(|cost_ms| cost_ms > HOPELESS * least);
        if !entry.is_out {
            let before = entry.cost_ms().filter(|_| !is_long);
            entry.go_on(model, now_ms).await?;
            let faster = |before: f64| entry.cost_ms().is_some_and(|now| before > GAIN_MIN * now);
            self.is_unsteady |= before.is_some_and(faster);
        }
        Ok(true)
    }

    fn end(self) -> Tried {
        let costs: Vec<f64> = self.entries.iter().map(|e| e.cost_ms().unwrap_or(f64::INFINITY)).collect();
        let best = (0..costs.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b])).unwrap_or(0);
        let is_faster = costs.first().is_some_and(|first| *first > GAIN_MIN * costs[best]);
        let shapes =
            self.entries.into_iter().map(|e| TriedShape { tuning: e.tuning, times: e.times }).collect();
        Tried { step: self.step, shapes, fastest: if is_faster { best } else { 0 } }
    }
}

impl Entry {
    /// What a slice of a prompt and the tokens that follow it take.
    fn cost_ms(&self) -> Option<f64> {
        let weight = |time: &TriedTime| if time.batch == Batch::One { ONES_PER_SLICE } else { 1.0 };
        let cost_ms: f64 = self.times.iter().map(|time| weight(time) * time.ms).sum();
        (!self.times.is_empty()).then_some(cost_ms)
    }

    /// Measures it. At first it is compiled, runs once, and it is found out how often it is to run.
    async fn go_on(&mut self, model: &mut Model, now_ms: &dyn Fn() -> f64) -> Result<(), Error> {
        for (at, (batch, list, products)) in self.lists.iter().enumerate() {
            let (state, tokens) = run(model, *batch);
            let Some(gpu) = model.executor().webgpu() else { return Ok(()) };
            let is_new = at == self.trials.len();
            if is_new {
                match gpu.trial(list).await {
                    Ok(trial) => self.trials.push((trial, 1)),
                    // Another shape may.
                    Err(DeviceError::Kernel { .. }) => {
                        self.is_out = true;
                        self.times.clear();
                        return Ok(());
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            let Some((trial, runs)) = self.trials.get_mut(at) else { return Ok(()) };
            let mut ms = gpu.time(trial, (&state, &tokens), *runs, now_ms).await?;
            if is_new {
                // The first run comes to what no other does, and a short one says little.
                loop {
                    ms = gpu.time(trial, (&state, &tokens), *runs, now_ms).await?;
                    let more = (MEASUREMENT_MS / ms) as usize;
                    if more < 2 || *runs == RUNS_MAX {
                        break;
                    }
                    *runs = runs.saturating_mul(more).min(RUNS_MAX);
                }
                let (weight_bytes, products) = (trial.weight_bytes, products * tokens.len() as u64);
                let ms = ms / *runs as f64;
                let time = TriedTime { batch: *batch, tokens: tokens.len(), ms, weight_bytes, products };
                self.times.push(time);
            } else if let Some(time) = self.times.get_mut(at) {
                time.ms = time.ms.min(ms / *runs as f64);
            }
        }
        Ok(())
    }
}

/// The dispatches of steps of this name in a shape, and their products for each token.
fn list(plan: &Plan, name: &str, batch: Batch, tuning: &Tuning) -> (Batch, Vec<Dispatch>, u64) {
    let (mut list, mut products, mut steps) = (Vec::new(), 0, 0);
    let Some(body) = plan.bodies.first() else { return (batch, list, products) };
    let (of_body, of_head) = match batch {
        Batch::Many => (&body.prefill, None),
        Batch::Few | Batch::One => (&body.decode, Some(&body.head)),
    };
    let mut bytes = 0;
    for step in of_body.iter().chain(of_head.into_iter().flatten()).filter(|step| step.name() == name) {
        match step.weight().and_then(|weight| plan.layout.weights.get(weight.0)) {
            Some(weight) => {
                bytes += weight.shards.iter().map(|shard| shard.bytes as u64).sum::<u64>();
                products += (weight.cols * weight.outputs * weight.rows_per_output) as u64;
            }
            None => steps += 1,
        }
        list.extend(dispatches(&plan.layout, std::slice::from_ref(step), batch, tuning));
        let is_enough = if batch == Batch::Many { products >= MANY_PRODUCTS } else { bytes >= ONE_BYTES };
        if is_enough || steps >= STEPS {
            break;
        }
    }
    (batch, list, products)
}

/// A slice of a prompt, or a token, in the middle of a text.
fn run(model: &Model, batch: Batch) -> (State, Vec<Token>) {
    let tokens = if batch == Batch::Many { model.slice_tokens() } else { 1 };
    let info = model.info();
    let most = info.context_tokens.saturating_sub(tokens);
    let depth = if info.encoder { 0 } else { DEPTH_TOKENS.min(most) };
    let end = (depth + tokens) as u32;
    let token = |at| Token { id: 0, position: (depth + at) as u32, pages_first: 0, end };
    let out_first = tokens as u32 - 1;
    let state = State { tokens: tokens as u32, out_first, out_rows: 1, factor: 1.0, ..State::default() };
    (state, (0..tokens).map(token).collect())
}
