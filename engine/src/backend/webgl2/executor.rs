//! Runs a plan: everything is created in `new`; a run writes two small buffers and draws.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use glow::HasContext as _;

use super::context::{Gl, STATE_BINDING, TEXEL_BYTES};
use super::images::{Edges, Image, copied_bytes, texels, unblocked};
use super::lists::{List, delete_framebuffers};
use super::needs::back_bytes;
use super::transfers::{fence, pack_buffer, read_back, uniform_buffer, wait};
use crate::backend::error::DeviceError;
use crate::backend::in_flight::InFlight;
use crate::backend::run::{Body, Choose, RING, Run};
use crate::kernels::{Step, draws};
use crate::plan::{BufferId, Memory, STATE_SLOTS_MAX, State, View, WeightId};
use crate::planner::Plan;
use crate::shaders::{Scratch, Texture};

/// A model's weights, buffers, programs and framebuffers in a context.
pub struct GlExecutor {
    pub(super) gl: Gl,
    pub(in crate::backend) plan: Rc<Plan>,
    weights: Vec<Vec<Image>>,
    vectors: Image,
    /// What `vectors` is to hold, until `ready`: its parts need not end where texels end.
    vector_values: Vec<f32>,
    vectors_changed: bool,
    pub(super) buffers: Vec<Sides>,
    pub(super) scratch: HashMap<Scratch, Image>,
    state: glow::Buffer,
    /// As in the plan: body and head.
    pub(super) bodies: Vec<[List; 2]>,
    greedy: List,
    rows_back: glow::Buffer,
    rows_back_bytes: usize,
    chosen_back: [Chosen; RING],
    /// Of buffers of the context: constants and read-backs.
    pub(super) buffers_bytes: usize,
    edges: Edges,
    in_flight: InFlight<()>,
}

/// A buffer, and, where it is changed in place, its twin: which of the two holds it changes from draw to draw.
pub(super) struct Sides {
    pub(super) images: [Option<Image>; 2],
    /// By slot, where it is a state; else all the same.
    pub(super) current: [usize; STATE_SLOTS_MAX],
    pub(super) is_state: bool,
}

/// What a run chose, on its way back.
struct Chosen {
    buffer: glow::Buffer,
    fence: Option<glow::Fence>,
    rows: usize,
}

impl GlExecutor {
    /// An executor of the plan, with all its textures and programs.
    ///
    /// # Errors
    /// `OutOfMemory` where a texture cannot be allocated, `Kernel` for a shader that does not compile here, `Lost`.
    pub fn new(gl: Gl, plan: Rc<Plan>) -> Result<Self, DeviceError> {
        let [rows_back_bytes, chosen_bytes] = back_bytes(&plan);
        let chosen = || Ok(Chosen { buffer: pack_buffer(&gl, chosen_bytes)?, fence: None, rows: 0 });
        let mut executor = GlExecutor {
            weights: Vec::new(),
            vectors: Image::new(&gl, plan.layout.vectors_len)?,
            vector_values: Vec::new(),
            vectors_changed: false,
            buffers: Vec::new(),
            scratch: HashMap::new(),
            state: uniform_buffer(&gl, bytemuck::bytes_of(&State::default()), glow::DYNAMIC_DRAW)?,
            bodies: Vec::new(),
            greedy: List::default(),
            rows_back: pack_buffer(&gl, rows_back_bytes)?,
            rows_back_bytes,
            chosen_back: [chosen()?, chosen()?, chosen()?],
            buffers_bytes: size_of::<State>() + rows_back_bytes + RING * chosen_bytes,
            edges: Edges::default(),
            in_flight: InFlight::default(),
            plan: Rc::clone(&plan),
            gl,
        };
        executor.extend(Rc::clone(&plan))?;
        executor.greedy = executor.record(draws(&plan.layout, &plan.greedy))?;
        Ok(executor)
    }

    /// Goes on with a plan that has more weights, buffers and bodies than the one so far.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn extend(&mut self, plan: Rc<Plan>) -> Result<(), DeviceError> {
        let gl = self.gl.clone();
        for weight in &plan.layout.weights[self.weights.len()..] {
            let mut images = Vec::with_capacity(weight.shards.len());
            for shard in &weight.shards {
                images.push(Image::new(&gl, shard.bytes / 4)?);
                gl.check_errors()?;
            }
            self.weights.push(images);
            self.upload_codebook(&plan, WeightId(self.weights.len() - 1));
        }
        for buffer in &plan.layout.buffers[self.buffers.len()..] {
            let image = Image::new(&gl, buffer.len)?;
            self.buffers.push(Sides {
                images: [Some(image), None],
                current: [0; STATE_SLOTS_MAX],
                is_state: false,
            });
        }
        if plan.layout.vectors_len > self.plan.layout.vectors_len {
            self.vectors = Image::new(&gl, plan.layout.vectors_len)?;
            self.vectors_changed = true;
        }
        self.plan = Rc::clone(&plan);
        for body in &plan.bodies[self.bodies.len()..] {
            let lists = [&body.prefill, &body.head].map(|steps| draws(&plan.layout, steps));
            let [body, head] = lists;
            let lists = [self.record(body)?, self.record(head)?];
            self.bodies.push(lists);
        }
        gl.check_errors()
    }

    pub(super) fn sides(&self, texture: Texture) -> [Option<&Image>; 2] {
        match texture {
            Texture::Shard(weight, shard) => [Some(&self.weights[weight.0][shard]), None],
            Texture::Vectors => [Some(&self.vectors), None],
            Texture::Buffer(id) => self.buffers[id.0].images.each_ref().map(Option::as_ref),
            Texture::Scratch(scratch) => [self.scratch.get(&scratch), None],
        }
    }

    /// Which side of a buffer holds it.
    pub(super) fn side(&self, texture: Texture, slot: usize) -> usize {
        match texture {
            Texture::Buffer(id) => {
                let sides = &self.buffers[id.0];
                sides.current[if sides.is_state { slot } else { 0 }]
            }
            _ => 0,
        }
    }

    pub(super) fn image(&self, texture: Texture, slot: usize) -> Option<&Image> {
        self.sides(texture)[self.side(texture, slot)]
    }

    fn current(&self, id: BufferId) -> Option<&Image> {
        self.image(Texture::Buffer(id), 0)
    }

    /// Puts a format's codebook behind the planes of its shards.
    fn upload_codebook(&self, plan: &Plan, id: WeightId) {
        let weight = &plan.layout.weights[id.0];
        let mut codebook = bytemuck::cast_slice::<u16, u8>(weight.format.codebook).to_vec();
        codebook.resize(codebook.len().next_multiple_of(TEXEL_BYTES), 0);
        for (shard, image) in weight.shards.iter().zip(&self.weights[id.0]) {
            image.write_lines(shard.codebook_offset_bytes / TEXEL_BYTES, &codebook);
        }
    }

    pub fn upload_bytes(&mut self, weight: WeightId, shard: usize, offset_bytes: usize, bytes: &[u8]) {
        self.edges.write(&self.weights[weight.0][shard], (weight.0, shard), offset_bytes, bytes);
    }

    pub fn upload_vector(&mut self, offset: usize, values: &[f32]) {
        self.vector_values.resize(self.plan.layout.vectors_len.next_multiple_of(4), 0.0);
        self.vector_values[offset..][..values.len()].copy_from_slice(values);
        self.vectors_changed = true;
    }

    /// From where a block begins: tables, which are written as a whole, and pages of the KV cache.
    pub fn upload_values(&mut self, buffer: BufferId, offset: usize, values: &[f32]) {
        if let Some(image) = self.current(buffer) {
            image.write(offset / 4, bytemuck::cast_slice(values));
        }
    }

    pub fn upload_pages(&mut self, pages: &[u32]) {
        let words: &[f32] = bytemuck::cast_slice(pages);
        self.upload_values(self.plan.layout.pages, 0, words);
    }

    pub fn memory(&self) -> Memory {
        let weights = || self.weights.iter().flatten().chain([&self.vectors]);
        let sides = self.buffers.iter().flat_map(|sides| sides.images.iter().flatten());
        let textures = weights().chain(sides).chain(self.scratch.values());
        let all_bytes = textures.map(Image::bytes).sum::<u64>() + self.buffers_bytes as u64;
        let words = |image: &Image| 4 * image.words as u64;
        let of_buffer = |id: BufferId| self.buffers[id.0].images[0].as_ref().map_or(0, words);
        Memory::of(&self.plan.layout, weights().map(words).sum(), of_buffer, all_bytes)
    }

    /// Counts `bytes` more as uploaded, and waits while too many are in flight.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub async fn throttle(&mut self, bytes: u64) -> Result<(), DeviceError> {
        if self.in_flight.add(bytes) { self.settle().await } else { Ok(()) }
    }

    /// Waits until what was uploaded has arrived.
    ///
    /// # Errors
    /// `Lost`, or `Internal` where WebGL cannot wait.
    pub async fn settle(&mut self) -> Result<(), DeviceError> {
        self.in_flight = InFlight::default();
        wait(&self.gl, fence(&self.gl)?).await
    }

    /// Uploads changed vectors and waits for everything.
    ///
    /// # Errors
    /// As [`Self::settle`]; also `OutOfMemory` where an allocation failed.
    pub async fn ready(&mut self) -> Result<(), DeviceError> {
        if std::mem::take(&mut self.vectors_changed) {
            self.vector_values.resize(self.plan.layout.vectors_len.next_multiple_of(4), 0.0);
            self.vectors.write(0, bytemuck::cast_slice(&self.vector_values));
        }
        self.edges.clear();
        self.settle().await?;
        self.gl.check_errors()
    }

    /// Submits a slice or a frame.
    ///
    /// # Errors
    /// `Lost`, or `Internal` where no fence can be made.
    pub fn run(&mut self, run: &Run, place: Option<usize>) -> Result<(), DeviceError> {
        self.gl.check()?;
        let gl = self.gl.clone();
        let calls = gl.calls();
        // SAFETY: the context is current, and everything in the lists is of it.
        unsafe {
            calls.bind_buffer(glow::UNIFORM_BUFFER, Some(self.state));
            calls.buffer_sub_data_u8_slice(glow::UNIFORM_BUFFER, 0, bytemuck::bytes_of(&run.state));
            calls.bind_buffer_base(glow::UNIFORM_BUFFER, STATE_BINDING, Some(self.state));
        }
        gl.count(|c| c.queue_writes += 1);
        if !run.tokens.is_empty()
            && let Some(image) = self.current(self.plan.layout.tokens)
        {
            image.write(0, bytemuck::cast_slice(run.tokens));
        }
        let chosen_texels = texels(run.state.out_rows as usize);
        let chosen_bytes = copied_bytes(0, chosen_texels.max(1));
        for step in 0..run.steps {
            let lists = std::mem::take(&mut self.bodies);
            let greedy = std::mem::take(&mut self.greedy);
            let [body, head] = &lists[run.which];
            if run.body != Body::Nothing {
                self.draw_list(body, &run.state);
            }
            if run.head {
                self.draw_list(head, &run.state);
            }
            if run.choose != Choose::None {
                self.draw_list(&greedy, &run.state);
            }
            (self.bodies, self.greedy) = (lists, greedy);
            if let Some(place) = place
                && let Some(image) = self.current(self.plan.layout.chosen)
            {
                image.copy_to(0, chosen_texels, self.chosen_back[place].buffer, step * chosen_bytes);
            }
        }
        gl.count(|c| c.submits += 1);
        if let Some(place) = place {
            let fence = fence(&gl)?;
            let chosen = &mut self.chosen_back[place];
            chosen.rows = run.state.out_rows as usize;
            if let Some(old) = chosen.fence.replace(fence) {
                // SAFETY: as above; nobody waits for it.
                unsafe { calls.delete_sync(old) };
            }
        }
        Ok(())
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
        let chosen = &mut self.chosen_back[place];
        if let Some(fence) = chosen.fence.take() {
            wait(&self.gl, fence).await?;
        }
        let chosen = &self.chosen_back[place];
        let rows = chosen.rows.max(1);
        let step_bytes = copied_bytes(0, texels(rows));
        let bytes = read_back(&self.gl, chosen.buffer, count.div_ceil(rows) * step_bytes);
        for step in bytes.chunks_exact(step_bytes) {
            out.extend(unblocked(0, texels(rows), step).take(rows));
        }
        out.truncate(count);
        self.gl.check()
    }

    /// The names of a step's programs.
    pub fn shaders(&self, step: &Step) -> Vec<String> {
        let all = draws(&self.plan.layout, std::slice::from_ref(step));
        all.iter().map(|draw| draw.program.label()).collect()
    }

    /// The first `rows` rows of a view, without padding.
    ///
    /// # Errors
    /// As [`Self::ready`]; also `Internal` for more rows than the read-back buffer holds.
    pub async fn read(&mut self, view: View, rows: usize, out: &mut Vec<f32>) -> Result<(), DeviceError> {
        out.clear();
        if rows == 0 {
            return Ok(());
        }
        let words = (rows - 1) * view.stride + view.cols;
        let (first, end) = (view.offset / 4, view.offset / 4 + texels(words));
        let bytes = copied_bytes(first, end);
        if bytes > self.rows_back_bytes {
            return Err(DeviceError::Internal { detail: format!("{bytes} bytes to read back") });
        }
        if let Some(image) = self.current(view.buffer) {
            image.copy_to(first, end, self.rows_back, 0);
        }
        self.settle().await?;
        let bytes = read_back(&self.gl, self.rows_back, bytes);
        let values = unblocked(first, end, &bytes).enumerate();
        out.extend(values.filter(|(i, _)| i % view.stride < view.cols).map(|(_, word)| f32::from_bits(word)));
        out.truncate(rows * view.cols);
        self.gl.check_errors()
    }

    /// The words of these ranges of buffers, which hold whole texels, one after the other.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub async fn read_words(
        &mut self,
        ranges: &[(BufferId, Range<usize>)],
        out: &mut Vec<u8>,
    ) -> Result<(), DeviceError> {
        let spans: Vec<_> =
            ranges.iter().map(|(id, range)| (*id, range.start / 4, texels(range.end))).collect();
        let bytes = spans.iter().map(|&(_, first, end)| copied_bytes(first, end)).sum();
        let back = pack_buffer(&self.gl, bytes)?;
        let mut at = 0;
        for &(id, first, end) in &spans {
            if let Some(image) = self.current(id) {
                image.copy_to(first, end, back, at);
            }
            at += copied_bytes(first, end);
        }
        let settled = self.settle().await;
        let mut rest = &read_back(&self.gl, back, if settled.is_ok() { bytes } else { 0 })[..];
        // SAFETY: the context is current; nobody else has the buffer.
        unsafe { self.gl.calls().delete_buffer(back) };
        settled?;
        for (_, first, end) in spans {
            let (now, later) = rest.split_at(copied_bytes(first, end));
            out.extend(unblocked(first, end, now).flat_map(u32::to_le_bytes));
            rest = later;
        }
        self.gl.check_errors()
    }
}

impl Drop for GlExecutor {
    fn drop(&mut self) {
        let calls = self.gl.calls();
        let lists = self.bodies.iter().flatten().chain([&self.greedy]);
        for list in lists {
            list.draws.iter().for_each(|draw| delete_framebuffers(&self.gl, &draw.groups));
            // SAFETY: the context is current; nobody else deletes what is here.
            list.uniforms.into_iter().for_each(|buffer| unsafe { calls.delete_buffer(buffer) });
        }
        for chosen in &mut self.chosen_back {
            // SAFETY: as above.
            unsafe {
                chosen.fence.take().into_iter().for_each(|fence| calls.delete_sync(fence));
                calls.delete_buffer(chosen.buffer);
            }
        }
        // SAFETY: as above.
        unsafe {
            calls.delete_buffer(self.rows_back);
            calls.delete_buffer(self.state);
        }
    }
}
