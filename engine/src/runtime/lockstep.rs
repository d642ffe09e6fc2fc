//! A model's steps one at a time on the CPU and on a device. Before each step both have the same buffers, so a kernel that is
//! wrong is named itself, and not what comes of it.

mod slices;

use std::ops::Range;
use std::rc::Rc;

use half::f16;

use self::slices::{Slice, slices};
use super::error::Error;
use super::load::{LoadOptions, plan};
use super::upload::Upload;
use crate::backend::{Body, Choose, Device, Executor, Run};
use crate::formats::UNIT;
use crate::gguf::Header;
use crate::kernels::{Step, examples};
use crate::plan::{Buffer, BufferId, CacheFormat, Kv, PAGE_TOKENS, State, Token, View};
use crate::planner::{Bodies, Plan, Transfer};
use crate::shaders::Batch;

/// What one step made of one buffer.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The step's name: that of its folder in `engine/compute/src/kernels`.
    pub step: &'static str,
    /// Its shaders on the device.
    pub shaders: Vec<String>,
    /// For how many tokens.
    pub batch: Batch,
    /// Where in the plan: "prefill 3" is the fourth step of the list for many tokens.
    pub place: String,
    /// The buffer's name.
    pub buffer: String,
    /// Values that the step has changed on the CPU.
    pub values: usize,
    /// Sum of squared differences over sum of squares, of those values; infinite where an id is wrong.
    pub nmse: f64,
    /// The largest accepted.
    pub nmse_max: f64,
    /// Where the difference is largest: the value's index in the buffer, that of the CPU, that of the device.
    pub worst: (usize, f32, f32),
}

impl Comparison {
    /// True where the device agrees with the CPU.
    pub fn agrees(&self) -> bool {
        self.nmse <= self.nmse_max
    }
}

/// A model on the CPU and on a device at the same time.
pub struct Lockstep {
    plan: Rc<Plan>,
    /// The steps, and which lists they are in.
    steps: Vec<(List, usize, Step)>,
    cpu: Executor,
    device: Executor,
    uploads: [Upload; 2],
    /// The buffers as both have them.
    mirror: Vec<Vec<f32>>,
    /// Most values that the device gives back at once.
    back_len: usize,
    /// Buffers that have random values at first.
    random: Range<usize>,
}

/// A list of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    Prefill,
    Decode,
    Head,
    /// Not of the model.
    Examples,
}

impl List {
    fn name(self) -> &'static str {
        match self {
            List::Prefill => "prefill",
            List::Decode => "decode",
            List::Head => "head",
            List::Examples => "example",
        }
    }
}

/// Words of four lines of a texture, which WebGL2 reads at a time.
const STRIP: usize = 1 << 15;

/// Tokens of the first slice where nobody says how many are many.
const MANY: usize = 17;

impl Lockstep {
    /// Lays the model out for the device, and allocates it there and on the CPU.
    ///
    /// # Errors
    /// As [`super::Loading::start`].
    pub async fn start(header: &Header, device: &Device, cache: CacheFormat) -> Result<Self, Error> {
        Self::start_with(header, device, cache, MANY).await
    }

    /// The same, with so many tokens in the first slice.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub(super) async fn start_with(
        header: &Header,
        device: &Device,
        cache: CacheFormat,
        many: usize,
    ) -> Result<Self, Error> {
        let plan = plan_of(header, device, cache, many)?;
        let mut steps = Vec::new();
        if let Some(body) = plan.bodies.first() {
            for (list, of) in
                [(List::Prefill, &body.prefill), (List::Decode, &body.decode), (List::Head, &body.head)]
            {
                steps.extend(of.iter().enumerate().map(|(i, step)| (list, i, step.clone())));
            }
        }
        Self::of(plan, steps, device, 0..0)
    }

    /// The same for the steps that kernels give as examples, on random values; of the model nothing runs.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub(super) fn start_examples(header: &Header, device: &Device) -> Result<Self, Error> {
        let mut plan = plan_of(header, device, CacheFormat::F32, MANY)?;
        let buffers = &mut plan.layout.buffers;
        let first = buffers.len();
        let steps = examples(&mut |cols| {
            let (buffer, stride) = (BufferId(buffers.len()), cols.next_multiple_of(UNIT));
            buffers.push(Buffer { name: format!("example {}", buffer.0 - first), len: MANY * stride });
            View { buffer, offset: 0, stride, cols }
        });
        let random = first..buffers.len();
        let steps = steps.into_iter().enumerate().map(|(i, step)| (List::Examples, i, step)).collect();
        Self::of(plan, steps, device, random)
    }

    fn of(
        mut plan: Plan,
        steps: Vec<(List, usize, Step)>,
        device: &Device,
        random: Range<usize>,
    ) -> Result<Self, Error> {
        // A body for each step.
        for (list, _, step) in &steps {
            let mut body = Bodies { prefill: vec![], decode: vec![], head: vec![], rows: None };
            match list {
                List::Prefill | List::Examples => body.prefill.push(step.clone()),
                List::Decode => body.decode.push(step.clone()),
                List::Head => body.head.push(step.clone()),
            }
            plan.bodies.push(body);
        }
        // A power of two, so that what is read lies in no two strips of a texture.
        let back_len = 1 << plan.back_len().clamp(4, STRIP).ilog2();
        let plan = Rc::new(plan);
        Ok(Lockstep {
            steps,
            cpu: Device::cpu().executor(Rc::clone(&plan))?,
            device: device.executor(Rc::clone(&plan))?,
            uploads: [Upload::new(Rc::clone(&plan)), Upload::new(Rc::clone(&plan))],
            mirror: plan.layout.buffers.iter().map(|b| vec![0.0; b.len]).collect(),
            back_len,
            random,
            plan,
        })
    }

    /// The transfer of the file that is wanted next.
    pub fn next(&self) -> Option<&Transfer> {
        self.uploads[0].next()
    }

    /// Takes exactly the bytes of [`Self::next`].
    ///
    /// # Errors
    /// `WrongTransfer` for other bytes.
    pub fn accept(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let [cpu, device] = &mut self.uploads;
        cpu.accept(&mut self.cpu, bytes)?;
        device.accept(&mut self.device, bytes)
    }

    /// Runs three slices of tokens, many, few and one, and then the head; calls `each` with what every step made of every
    /// buffer that it changes, in order. `ids` are the tokens, taken round and round.
    ///
    /// # Errors
    /// `Device` where the device fails.
    pub async fn run(&mut self, ids: &[u32], mut each: impl FnMut(&Comparison)) -> Result<(), Error> {
        let [cpu, device] = &mut self.uploads;
        cpu.finish(&mut self.cpu).await?;
        device.finish(&mut self.device).await?;
        let pages: Vec<u32> = (0..self.plan.layout.kv_pages as u32).collect();
        self.cpu.upload_pages(&pages);
        self.device.upload_pages(&pages);
        for id in self.random.clone().map(BufferId) {
            let values = random(id.0 as u32, self.mirror[id.0].len());
            self.cpu.upload_values(id, 0, &values);
            self.device.upload_values(id, 0, &values);
        }
        for id in (0..self.mirror.len()).map(BufferId) {
            // Tables of rotations and the like have been uploaded.
            self.mirror[id.0] = read(&mut self.cpu, id, self.mirror[id.0].len(), usize::MAX).await?;
        }
        let encoder = self.plan.spec.pooling.is_some();
        for Slice { tokens, state, one_each } in slices(&self.plan, ids) {
            for at in 0..self.steps.len() {
                let list = self.steps[at].0;
                // One token is a slice like others where the device has no list for it.
                let decodes = one_each && !encoder && self.device.decodes();
                let wanted = match list {
                    List::Head => true,
                    List::Decode => decodes,
                    List::Prefill => !decodes,
                    List::Examples => true,
                };
                if wanted {
                    self.step(at, &tokens, state, &mut each).await?;
                }
            }
        }
        Ok(())
    }

    async fn step(
        &mut self,
        at: usize,
        tokens: &[Token],
        state: State,
        each: &mut impl FnMut(&Comparison),
    ) -> Result<(), Error> {
        let (list, index, step) = self.steps[at].clone();
        let body = match list {
            List::Prefill | List::Examples => Body::Prefill,
            List::Decode => Body::Decode,
            List::Head => Body::Nothing,
        };
        let head = list == List::Head;
        let run = Run { state, tokens, which: at + 1, body, head, choose: Choose::None, steps: 1 };
        self.cpu.run(&run, None)?;
        self.device.run(&run, None)?;
        let batch = match tokens.len() {
            _ if head => Batch::One,
            1 => Batch::One,
            n if n <= crate::shaders::FEW as usize => Batch::Few,
            _ => Batch::Many,
        };
        for id in (0..self.mirror.len()).map(BufferId) {
            let len = self.mirror[id.0].len();
            let after = read(&mut self.cpu, id, len, usize::MAX).await?;
            let before = &self.mirror[id.0];
            let changed: Vec<usize> =
                (0..len).filter(|&i| before[i].to_bits() != after[i].to_bits()).collect();
            if changed.is_empty() {
                continue;
            }
            let got = read(&mut self.device, id, len, self.back_len).await?;
            let (nmse, worst) = self.distance(id, &step, &changed, &after, &got);
            each(&Comparison {
                step: step.name(),
                batch,
                shaders: self.device.shaders(&step, batch),
                place: format!("{} {index}, {} tokens", list.name(), tokens.len()),
                buffer: self.plan.layout.buffers[id.0].name.clone(),
                values: changed.len(),
                nmse,
                nmse_max: self.nmse_max(id, &step),
                worst,
            });
            self.device.upload_values(id, 0, &after);
            self.mirror[id.0] = after;
        }
        Ok(())
    }

    /// The pool that a buffer is, where the cache is not made of f32.
    fn pool(&self, id: BufferId) -> Option<Kv> {
        let of = |step: &Step| match step {
            Step::RopeStore(s) if s.kv.keys == id || s.kv.values == id => Some(s.kv),
            _ => None,
        };
        self.steps.iter().find_map(|(.., step)| of(step)).filter(|kv| kv.format != CacheFormat::F32)
    }

    /// Rounding may take the last bit of a product to either side of a code.
    fn nmse_max(&self, id: BufferId, step: &Step) -> f64 {
        if self.pool(id).is_some() { step.nmse_max().max(1e-3) } else { step.nmse_max() }
    }

    fn distance(
        &self,
        id: BufferId,
        step: &Step,
        changed: &[usize],
        want: &[f32],
        got: &[f32],
    ) -> (f64, (usize, f32, f32)) {
        let pool = self.pool(id);
        let (mut error, mut energy, mut worst) = (0.0, 0.0, (changed[0], 0.0, 0.0));
        let mut most = -1.0;
        for &i in changed {
            for (a, b) in pairs(pool.as_ref(), i, want[i].to_bits(), got[i].to_bits()) {
                let difference = f64::from(a - b).powi(2);
                error += if difference.is_nan() { f64::INFINITY } else { difference };
                energy += f64::from(a).powi(2);
                if difference > most || difference.is_nan() {
                    (most, worst) = (if difference.is_nan() { f64::INFINITY } else { difference }, (i, a, b));
                }
            }
            // Ids are small whole numbers, as bits: they are equal or wrong.
            if matches!(step, Step::Route(_) | Step::ExpertsSort(_))
                && is_id(want[i], got[i])
                && want[i].to_bits() != got[i].to_bits()
            {
                (error, worst) = (f64::INFINITY, (i, want[i], got[i]));
            }
        }
        (if error == 0.0 { 0.0 } else { error / energy }, worst)
    }
}

/// The values of a word on either side: itself, or the codes or halves that it holds.
fn pairs(pool: Option<&Kv>, index: usize, want: u32, got: u32) -> Vec<(f32, f32)> {
    let Some(kv) = pool else { return vec![(f32::from_bits(want), f32::from_bits(got))] };
    let halves =
        |word: u32| [word as u16, (word >> 16) as u16].map(|bits| f16::from_bits(bits).to_f32()).to_vec();
    let codes = |word: u32| match kv.format {
        _ if index >= kv.first_scale() => halves(word),
        CacheFormat::F32 => vec![f32::from_bits(word)],
        CacheFormat::F16 => halves(word),
        CacheFormat::Q8_0 => (0..4).map(|i| f32::from((word >> (8 * i)) as i8)).collect(),
        CacheFormat::Q4_0 => (0..8).map(|i| ((word >> (4 * i)) & 15) as f32 - 8.0).collect(),
    };
    // What lies behind the end of a head means nothing.
    let words = kv.format.code_words(kv.head_len);
    let first = index % words * kv.format.values_per_word();
    let count = if index >= kv.first_scale() { usize::MAX } else { kv.head_len.saturating_sub(first) };
    codes(want).into_iter().zip(codes(got)).take(count).collect()
}

/// All values of a buffer, at most `most` at a time.
async fn read(executor: &mut Executor, buffer: BufferId, len: usize, most: usize) -> Result<Vec<f32>, Error> {
    let (mut all, mut part) = (Vec::with_capacity(len), Vec::new());
    while all.len() < len {
        let cols = most.min(len - all.len());
        executor.read(View { buffer, offset: all.len(), stride: cols, cols }, 1, &mut part).await?;
        all.extend_from_slice(&part);
    }
    Ok(all)
}

/// The plan of a model for few tokens.
fn plan_of(header: &Header, device: &Device, cache: CacheFormat, many: usize) -> Result<Plan, Error> {
    let context_tokens = Some(2 * PAGE_TOKENS);
    let options = LoadOptions { context_tokens, slice_tokens: Some(many), cache, ..LoadOptions::default() };
    plan(header, device, &options)
}

/// Values from -8 to 8.
fn random(seed: u32, count: usize) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 20) as f32 - 8.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// Whether one of two values has the bits of a small whole number.
fn is_id(a: f32, b: f32) -> bool {
    a.is_subnormal() || b.is_subnormal()
}
