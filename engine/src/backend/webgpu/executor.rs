//! Runs a plan: everything is created in `new`; a run writes two small buffers, records one pass and submits once.

use std::ops::Range;
use std::rc::Rc;

use super::gpu::{Fence, Gpu};
use super::needs::{SCRATCH_BYTES_MIN, back_bytes, choices, lists, scratch_bytes, slot, uniforms_bytes};
use super::pipelines::Pipeline;
use super::trace::Traced;
use crate::backend::error::DeviceError;
use crate::backend::in_flight::InFlight;
use crate::backend::run::{Body, Choose, RING, Run};
use crate::kernels::{Step, dispatches};
use crate::plan::{BufferId, Memory, State, Token, View, WeightId};
use crate::planner::Plan;
use crate::shaders::{Batch, Bound, Dispatch, FEW, Grid};

/// A model's weights, buffers, pipelines and bind groups on a GPU.
pub struct GpuExecutor {
    pub(super) gpu: Gpu,
    pub(crate) plan: Rc<Plan>,
    weights: Vec<Vec<wgpu::Buffer>>,
    vectors: wgpu::Buffer,
    buffers: Vec<wgpu::Buffer>,
    /// What dispatches leave for the next ones.
    scratch: wgpu::Buffer,
    state: wgpu::Buffer,
    /// Constants of dispatches, a buffer for each list.
    uniforms: Vec<wgpu::Buffer>,
    /// As in the plan.
    bodies: Vec<Recordings>,
    greedy: Vec<Recorded>,
    sampled: Vec<Recorded>,
    /// For rows of logits or vectors.
    rows_back: wgpu::Buffer,
    /// For what runs have chosen, `[steps, rows]` each.
    chosen_back: [wgpu::Buffer; RING],
    /// For one word, to wait for.
    settled: wgpu::Buffer,
    in_flight: InFlight<Fence>,
}

/// The dispatches of [`crate::plan::Bodies`].
struct Recordings {
    prefill: Vec<Recorded>,
    decode: Vec<Recorded>,
    head: Vec<Recorded>,
    /// `prefill` and `head` for few tokens or rows: [`Batch::Few`].
    few: [Vec<Recorded>; 2],
}

/// A dispatch with its pipeline and bind group.
pub(super) struct Recorded {
    pub pipeline: wgpu::ComputePipeline,
    pub bind_group: wgpu::BindGroup,
    pub grid: Grid,
    pub tokens: Range<u32>,
    /// Where times of dispatches are taken.
    pub traced: Option<Rc<Traced>>,
}

impl GpuExecutor {
    /// An executor of the plan, with all its buffers, pipelines and bind groups.
    ///
    /// # Errors
    /// `Lost`, `OutOfMemory` where a buffer cannot be allocated.
    pub fn new(gpu: Gpu, plan: Rc<Plan>) -> Result<Self, DeviceError> {
        use wgpu::BufferUsages as Usage;
        let [rows_bytes, chosen_bytes] = back_bytes(&plan);
        let mut executor = GpuExecutor {
            weights: Vec::new(),
            vectors: gpu.buffer(
                "vectors",
                4 * plan.layout.vectors_len as u64,
                Usage::STORAGE | Usage::COPY_DST,
            ),
            buffers: Vec::new(),
            scratch: gpu.buffer("scratch", SCRATCH_BYTES_MIN, Usage::STORAGE),
            state: gpu.buffer("state", size_of::<State>() as u64, Usage::UNIFORM | Usage::COPY_DST),
            uniforms: Vec::new(),
            bodies: Vec::new(),
            greedy: Vec::new(),
            sampled: Vec::new(),
            rows_back: gpu.buffer("rows back", rows_bytes, Usage::MAP_READ | Usage::COPY_DST),
            chosen_back: std::array::from_fn(|_| {
                gpu.buffer("chosen back", chosen_bytes, Usage::MAP_READ | Usage::COPY_DST)
            }),
            settled: gpu.buffer("settled", 4, Usage::MAP_READ | Usage::COPY_DST),
            in_flight: InFlight::default(),
            plan: Rc::clone(&plan),
            gpu,
        };
        executor.extend(Rc::clone(&plan))?;
        let [greedy, sampled] = choices(&plan, executor.gpu.tuning());
        executor.greedy = executor.record_for_good(greedy);
        executor.sampled = executor.record_for_good(sampled);
        Ok(executor)
    }

    /// Goes on with a plan that has more weights, buffers and bodies than the one so far.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn extend(&mut self, plan: Rc<Plan>) -> Result<(), DeviceError> {
        use wgpu::BufferUsages as Usage;
        let gpu = self.gpu.clone();
        let storage = Usage::STORAGE | Usage::COPY_DST | Usage::COPY_SRC;
        let shard =
            |s: &crate::plan::Shard| gpu.buffer("weights", s.bytes as u64, Usage::STORAGE | Usage::COPY_DST);
        for weight in &plan.layout.weights[self.weights.len()..] {
            let buffers: Vec<_> = weight.shards.iter().map(shard).collect();
            self.upload_codebook(weight, &buffers);
            self.weights.push(buffers);
        }
        let buffer = |b: &crate::plan::Buffer| gpu.buffer(&b.name, 4 * b.len as u64, storage);
        self.buffers.extend(plan.layout.buffers[self.buffers.len()..].iter().map(buffer));
        self.plan = Rc::clone(&plan);
        for body in self.bodies.len()..plan.bodies.len() {
            let lists = lists(&plan, body, gpu.tuning());
            let [prefill, decode, head, few_body, few_head] = lists.map(|list| self.record_for_good(list));
            self.bodies.push(Recordings { prefill, decode, head, few: [few_body, few_head] });
        }
        self.gpu.check()
    }

    fn record_for_good(&mut self, dispatches: Vec<Dispatch>) -> Vec<Recorded> {
        let (recorded, uniforms) = self.record(&dispatches);
        self.uniforms.push(uniforms);
        recorded
    }

    /// Pipelines and bind groups of a list of dispatches, and the buffer that their uniforms share.
    pub(super) fn record(&mut self, dispatches: &[Dispatch]) -> (Vec<Recorded>, wgpu::Buffer) {
        let scratch_bytes = scratch_bytes(dispatches);
        if scratch_bytes > self.scratch.size() {
            self.scratch = self.gpu.buffer("scratch", scratch_bytes, wgpu::BufferUsages::STORAGE);
        }
        let bytes = uniforms_bytes(dispatches);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniforms = self.gpu.buffer("uniforms", bytes as u64, usage);
        let mut contents = vec![0; bytes];
        let mut at = 0;
        let mut recorded = Vec::with_capacity(dispatches.len());
        for d in dispatches {
            contents[at..at + d.params.len()].copy_from_slice(&d.params);
            let Pipeline { pipeline, layout } = self.gpu.pipeline(&d.variant);
            let bind_group = self.bind(d, &layout, &uniforms, at);
            let traced = self.gpu.trace().map(|_| Traced::of(&self.plan, d));
            recorded.push(Recorded { pipeline, bind_group, grid: d.grid, tokens: d.tokens.clone(), traced });
            at += slot(d);
        }
        self.gpu.write(&uniforms, 0, &contents);
        (recorded, uniforms)
    }

    fn bind(
        &self,
        d: &Dispatch,
        layout: &wgpu::BindGroupLayout,
        uniforms: &wgpu::Buffer,
        at: usize,
    ) -> wgpu::BindGroup {
        let params = wgpu::BufferBinding {
            buffer: uniforms,
            offset: at as u64,
            size: wgpu::BufferSize::new(d.params.len() as u64),
        };
        let mut resources = vec![wgpu::BindingResource::Buffer(params), self.state.as_entire_binding()];
        resources.extend(d.bound.iter().map(|bound| match *bound {
            Bound::Shard(weight, shard) => self.weights[weight.0][shard].as_entire_binding(),
            Bound::Vectors => self.vectors.as_entire_binding(),
            Bound::Buffer(id) => self.buffers[id.0].as_entire_binding(),
            Bound::Scratch(_) => self.scratch.as_entire_binding(),
        }));
        let entry = |(i, resource)| wgpu::BindGroupEntry { binding: i as u32, resource };
        let entries: Vec<_> = resources.into_iter().enumerate().map(entry).collect();
        self.gpu.count(|c| c.objects_created += 1);
        self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(d.variant.kernel),
            layout,
            entries: &entries,
        })
    }

    /// Puts a format's codebook behind the planes of its shards.
    fn upload_codebook(&self, weight: &crate::plan::Weight, buffers: &[wgpu::Buffer]) {
        let codebook: &[u8] = bytemuck::cast_slice(weight.format.codebook);
        for (shard, buffer) in weight.shards.iter().zip(buffers).filter(|_| !codebook.is_empty()) {
            self.gpu.write(buffer, shard.codebook_offset_bytes as u64, codebook);
        }
    }

    pub fn upload_bytes(&mut self, weight: WeightId, shard: usize, offset_bytes: usize, bytes: &[u8]) {
        self.gpu.write(&self.weights[weight.0][shard], offset_bytes as u64, bytes);
    }

    pub fn upload_vector(&mut self, offset: usize, values: &[f32]) {
        self.gpu.write(&self.vectors, 4 * offset as u64, bytemuck::cast_slice(values));
    }

    pub fn upload_values(&mut self, buffer: BufferId, offset: usize, values: &[f32]) {
        self.gpu.write(&self.buffers[buffer.0], 4 * offset as u64, bytemuck::cast_slice(values));
    }

    pub fn upload_pages(&mut self, pages: &[u32]) {
        self.gpu.write(&self.buffers[self.plan.layout.pages.0], 0, bytemuck::cast_slice(pages));
    }

    /// Everything that it has on the device.
    fn all(&self) -> impl Iterator<Item = &wgpu::Buffer> {
        let others = [&self.vectors, &self.scratch, &self.state, &self.rows_back, &self.settled];
        let lists = [&self.buffers, &self.uniforms].into_iter().chain(&self.weights);
        lists.flatten().chain(others).chain(&self.chosen_back)
    }

    pub fn memory(&self) -> Memory {
        let sizes = self.weights.iter().flatten().chain([&self.vectors]).map(wgpu::Buffer::size);
        let all_bytes = self.all().map(wgpu::Buffer::size).sum();
        Memory::of(&self.plan.layout, sizes.sum(), |id| self.buffers[id.0].size(), all_bytes)
    }

    /// Counts `bytes` more as uploaded, and waits while too many are in flight.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub async fn throttle(&mut self, bytes: u64) -> Result<(), DeviceError> {
        if self.in_flight.add(bytes) {
            self.gpu.check()?;
            self.in_flight.fenced(self.gpu.fence());
        }
        while let Some(fence) = self.in_flight.excess() {
            self.gpu.pass(fence).await?;
        }
        Ok(())
    }

    /// Waits until what was uploaded has arrived.
    ///
    /// # Errors
    /// `Lost`, `OutOfMemory`, or `Internal` where nothing can be read back.
    pub async fn settle(&mut self) -> Result<(), DeviceError> {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&self.buffers[self.plan.layout.chosen.0], 0, &self.settled, 0, 4);
        self.submit(encoder);
        self.gpu.map(&self.settled, 4, |_| ()).await
    }

    /// Waits until every pipeline is compiled.
    ///
    /// # Errors
    /// `Kernel` for a shader that does not compile here, `OutOfMemory`, `Lost`.
    pub async fn ready(&mut self) -> Result<(), DeviceError> {
        self.gpu.ready().await
    }

    /// Submits a slice or a frame.
    ///
    /// # Errors
    /// What went wrong since the last call: `Lost`, `OutOfMemory`, `Internal`.
    pub fn run(&mut self, run: &Run, place: Option<usize>) -> Result<(), DeviceError> {
        self.gpu.check()?;
        self.write_run(&run.state, run.tokens);
        let recordings = &self.bodies[run.which];
        let few_tokens = self.gpu.tuning().few_tokens();
        let [few_body, few_head] = &recordings.few;
        let body: &[Recorded] = match run.body {
            Body::Nothing => &[],
            _ if (2..=few_tokens).contains(&run.state.tokens) && !few_body.is_empty() => few_body,
            Body::Prefill => &recordings.prefill,
            Body::Decode => &recordings.decode,
        };
        let head: &[Recorded] = match run.head {
            // What a LoRA adapter adds to the head begins with a product of all tokens.
            true if (2..=FEW).contains(&run.state.out_rows) && run.state.tokens <= few_tokens => few_head,
            true => &recordings.head,
            false => &[],
        };
        let choice: &[Recorded] = match run.choose {
            Choose::None => &[],
            Choose::Greedy => &self.greedy,
            Choose::Sampled => &self.sampled,
        };
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let chosen_bytes = 4 * u64::from(run.state.out_rows);
        let has_work = |d: &&Recorded| d.tokens.contains(&run.state.tokens);
        let dispatches = body.iter().filter(has_work).chain(head).chain(choice);
        for step in 0..run.steps {
            self.pass(&mut encoder, dispatches.clone(), &run.state);
            if let Some(place) = place {
                let (from, to) = (&self.buffers[self.plan.layout.chosen.0], &self.chosen_back[place]);
                encoder.copy_buffer_to_buffer(from, 0, to, step as u64 * chosen_bytes, chosen_bytes);
            }
        }
        self.gpu.count(|c| c.dispatches += (run.steps * dispatches.count()) as u64);
        self.submit(encoder);
        Ok(())
    }

    /// What the kernels see of a run.
    pub(super) fn write_run(&self, state: &State, tokens: &[Token]) {
        self.gpu.write(&self.state, 0, bytemuck::bytes_of(state));
        if !tokens.is_empty() {
            self.gpu.write(&self.buffers[self.plan.layout.tokens.0], 0, bytemuck::cast_slice(tokens));
        }
    }

    /// The choices of the run that was given `place`.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub async fn chosen(
        &mut self,
        place: usize,
        count: usize,
        out: &mut Vec<u32>,
    ) -> Result<(), DeviceError> {
        out.clear();
        let words = |bytes: &[u8]| {
            out.extend(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)));
        };
        self.gpu.map(&self.chosen_back[place], 4 * count as u64, words).await
    }

    /// The first `rows` rows of a view, without padding.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub async fn read(&mut self, view: View, rows: usize, out: &mut Vec<f32>) -> Result<(), DeviceError> {
        let bytes = 4 * (rows * view.stride) as u64;
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let from = &self.buffers[view.buffer.0];
        encoder.copy_buffer_to_buffer(from, 4 * view.offset as u64, &self.rows_back, 0, bytes);
        self.submit(encoder);
        out.clear();
        let copy = |bytes: &[u8]| {
            for row in bytes.chunks_exact(4 * view.stride) {
                out.extend(row.as_chunks::<4>().0[..view.cols].iter().map(|b| f32::from_le_bytes(*b)));
            }
        };
        self.gpu.map(&self.rows_back, bytes, copy).await
    }

    /// The words of these ranges of buffers, one after the other.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub async fn read_words(
        &mut self,
        ranges: &[(BufferId, Range<usize>)],
        out: &mut Vec<u8>,
    ) -> Result<(), DeviceError> {
        let bytes = 4 * ranges.iter().map(|(_, range)| range.len() as u64).sum::<u64>();
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let back = self.gpu.buffer("words back", bytes, usage);
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut to = 0;
        for (id, range) in ranges {
            let (from, bytes) = (4 * range.start as u64, 4 * range.len() as u64);
            encoder.copy_buffer_to_buffer(&self.buffers[id.0], from, &back, to, bytes);
            to += bytes;
        }
        self.submit(encoder);
        let read = self.gpu.map(&back, bytes, |bytes| out.extend_from_slice(bytes)).await;
        back.destroy();
        read
    }

    /// The names of a step's shaders.
    pub fn shaders(&self, step: &Step, batch: Batch) -> Vec<String> {
        let steps = std::slice::from_ref(step);
        let all = dispatches(&self.plan.layout, steps, batch, self.gpu.tuning());
        all.iter().map(|d| d.variant.label()).collect()
    }

    pub(super) fn submit(&self, encoder: wgpu::CommandEncoder) {
        self.gpu.count(|c| c.submits += 1);
        self.gpu.queue.submit([encoder.finish()]);
    }
}

/// A browser keeps what is only dropped until it happens to collect garbage.
impl Drop for GpuExecutor {
    fn drop(&mut self) {
        self.all().for_each(wgpu::Buffer::destroy);
    }
}
