//! The CPU executor: the way down where there is no usable GPU. Portable code that compilers turn into SIMD, SIMD128 in the
//! browser.

mod thread_pool;
#[cfg(not(target_arch = "wasm32"))]
mod threads;
mod trial;

use std::ops::Range;
use std::rc::Rc;

use thread_pool::PoolShards;
pub use thread_pool::{BODY_BYTES_MAX, Channel, ThreadPool};

use crate::backend::error::DeviceError;
use crate::backend::run::{Body, Choose, RING, Run};
use crate::kernels::Step;
use crate::kernels::{Cpu, Scratch, vec_bytes, working_bytes};
use crate::plan::{BufferId, Memory, Token, View, Weight, WeightId};
use crate::planner::Plan;

/// Holds a model's weights and buffers in memory and runs its plan.
pub struct CpuExecutor {
    pub(super) plan: Rc<Plan>,
    /// Shards; empty where another thread stores them.
    weights: Vec<Vec<Vec<u8>>>,
    remote: PoolShards,
    vectors: Vec<f32>,
    buffers: Vec<Vec<f32>>,
    tokens: Vec<Token>,
    pages: Vec<u32>,
    /// What the last step chose, one a row.
    step_chosen: Vec<u32>,
    /// What runs chose, `[steps, rows]` each.
    chosen: [Vec<u32>; RING],
    scratch: Scratch,
}

/// What an executor of this plan will hold once it has run.
pub fn memory_of(plan: &Plan) -> Memory {
    let options = &plan.layout.options;
    let slice = options.slice_tokens.max(options.sequences);
    let own = size_of::<Token>() * slice + 4 * plan.layout.pages_len;
    let working = working_bytes(&plan.layout, slice) + shared_bytes(plan, slice);
    plan.layout.memory(|bytes| bytes, (own + working) as u64)
}

/// Rows as they are sent to other workers, and what comes back.
fn shared_bytes(plan: &Plan, slice: usize) -> usize {
    let steps = plan.bodies.iter().flat_map(|b| b.prefill.iter().chain(&b.decode).chain(&b.head));
    let bytes = steps.map(|step| step.sent_bytes(&plan.layout, slice)).max();
    // They have both too.
    plan.layout.limits.threads.count * bytes.unwrap_or(0)
}

impl CpuExecutor {
    /// Everything that the plan names.
    pub fn new(plan: Rc<Plan>, pool: ThreadPool) -> Self {
        let mut remote = PoolShards::new(pool);
        remote.allocate(&plan.layout);
        CpuExecutor {
            remote,
            weights: plan.layout.weights.iter().map(local_shards).collect(),
            vectors: vec![0.0; plan.layout.vectors_len],
            buffers: plan.layout.buffers.iter().map(|b| vec![0.0; b.len]).collect(),
            tokens: vec![
                Token::default();
                plan.layout.options.slice_tokens.max(plan.layout.options.sequences)
            ],
            pages: vec![0; plan.layout.pages_len],
            step_chosen: Vec::new(),
            chosen: Default::default(),
            scratch: Scratch::default(),
            plan,
        }
    }

    pub fn memory(&self) -> Memory {
        let local = self.weights.iter().flatten().map(vec_bytes).sum::<u64>();
        let weights_bytes = local + self.plan.layout.remote_shards_bytes() + vec_bytes(&self.vectors);
        let buffers = self.buffers.iter().map(vec_bytes).sum::<u64>();
        let words = self.chosen.iter().chain([&self.pages, &self.step_chosen]).map(vec_bytes);
        let own = words.sum::<u64>() + vec_bytes(&self.tokens) + self.scratch.bytes();
        let buffer = |id: BufferId| vec_bytes(&self.buffers[id.0]);
        Memory::of(&self.plan.layout, weights_bytes, buffer, weights_bytes + buffers + own)
    }

    /// Bytes of a shard.
    pub fn upload_bytes(&mut self, weight: WeightId, shard: usize, offset_bytes: usize, bytes: &[u8]) {
        if !self.remote.write(weight, shard, offset_bytes, bytes) {
            self.weights[weight.0][shard][offset_bytes..][..bytes.len()].copy_from_slice(bytes);
        }
    }

    /// Values of the vectors buffer.
    pub fn upload_vector(&mut self, offset: usize, values: &[f32]) {
        self.vectors[offset..][..values.len()].copy_from_slice(values);
    }

    /// Values of a buffer from `offset` on: f32, or the bits of u32.
    pub fn upload_values(&mut self, buffer: BufferId, offset: usize, values: &[f32]) {
        self.buffers[buffer.0][offset..][..values.len()].copy_from_slice(values);
    }

    /// The page tables of a slice.
    pub fn upload_pages(&mut self, pages: &[u32]) {
        self.pages[..pages.len()].copy_from_slice(pages);
    }

    /// Goes on with a plan that has more weights, buffers and bodies than the one so far.
    pub fn extend(&mut self, plan: Rc<Plan>) {
        self.remote.allocate(&plan.layout);
        self.weights.extend(plan.layout.weights[self.weights.len()..].iter().map(local_shards));
        self.buffers.extend(plan.layout.buffers[self.buffers.len()..].iter().map(|b| vec![0.0; b.len]));
        self.plan = plan;
    }

    /// What went wrong with the pool, if anything did.
    ///
    /// # Errors
    /// `OutOfMemory` where it had no room for a shard, `Lost`.
    pub fn settle(&self) -> Result<(), DeviceError> {
        self.remote.failure().map_or(Ok(()), |failure| Err(failure.clone()))
    }

    /// Runs a slice; what it chooses stays at `place`.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub fn run(&mut self, run: &Run, place: Option<usize>) -> Result<(), DeviceError> {
        self.tokens[..run.tokens.len()].copy_from_slice(run.tokens);
        if let Some(place) = place {
            self.chosen[place].clear();
        }
        for _ in 0..run.steps {
            self.step(run);
            if let Some(place) = place {
                self.chosen[place].extend_from_slice(&self.step_chosen);
            }
        }
        self.settle()
    }

    fn step(&mut self, run: &Run) {
        let plan = Rc::clone(&self.plan);
        let steps = &plan.bodies[run.which];
        let body = match run.body {
            Body::Prefill => &steps.prefill[..],
            Body::Decode => &steps.decode,
            Body::Nothing => &[][..],
        };
        let head: &[Step] = if run.head { &steps.head } else { &[] };
        let choice: &[Step] = match run.choose {
            Choose::None => &[],
            Choose::Greedy => &plan.greedy,
            Choose::Sampled => &plan.sampled,
        };
        let mut cpu = Cpu {
            layout: &plan.layout,
            weights: &self.weights,
            vectors: &self.vectors,
            buffers: &mut self.buffers,
            tokens: &mut self.tokens,
            pages: &self.pages,
            chosen: &mut self.step_chosen,
            state: run.state,
            remote: Some(&mut self.remote),
            scratch: &mut self.scratch,
        };
        for step in body.iter().chain(head).chain(choice) {
            step.run(&mut cpu);
        }
    }

    /// What the run that was given `place` chose.
    pub fn chosen(&self, place: usize, out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(&self.chosen[place]);
    }

    /// The words of these ranges of buffers, one after the other.
    pub fn read_words(&self, ranges: &[(BufferId, Range<usize>)], out: &mut Vec<u8>) {
        for (id, range) in ranges {
            out.extend_from_slice(bytemuck::cast_slice(&self.buffers[id.0][range.clone()]));
        }
    }

    /// The first `rows` rows of a view, without padding.
    pub fn read(&self, view: View, rows: usize, out: &mut Vec<f32>) {
        out.clear();
        for r in 0..rows {
            out.extend_from_slice(&self.buffers[view.buffer.0][view.offset + r * view.stride..][..view.cols]);
        }
    }
}

/// Room for the shards of the thread that runs the plan.
fn local_shards(weight: &Weight) -> Vec<Vec<u8>> {
    weight.shards.iter().map(|s| if s.thread == 0 { vec![0; s.bytes] } else { Vec::new() }).collect()
}
