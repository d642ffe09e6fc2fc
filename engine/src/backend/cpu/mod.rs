//! The CPU executor: the twins of the GPU kernels, one function a file with the same stem, and the way down where there
//! is no usable GPU. Portable code that compilers turn into SIMD, SIMD128 in the browser.

mod attend;
mod cache;
mod clear_rows;
mod conv;
mod delta_scan;
mod embed_rows;
mod experts;
mod gate_rows;
mod gated_norm;
mod inputs;
mod mamba2_scan;
mod math;
mod matmul;
mod norm_rows;
mod pick_top;
mod pool_rows;
mod rope_store;
mod route;
mod scale_rows;
mod tiles;

use std::rc::Rc;

use super::{Body, State};
use crate::plan::{BufferId, Plan, Step, View, WeightId};

/// Holds a model's weights and buffers in memory and runs its plan.
pub struct CpuExecutor {
    plan: Rc<Plan>,
    weights: Vec<Vec<Vec<u8>>>,
    vectors: Vec<f32>,
    buffers: Vec<Vec<f32>>,
    ids: Vec<u32>,
    pages: Vec<u32>,
    top: u32,
    scratch: Scratch,
}

/// Reused from step to step.
#[derive(Default)]
struct Scratch {
    inputs: inputs::Inputs,
    tile: tiles::Tile,
    products: [Vec<f32>; 2],
    choices: Vec<experts::Choice>,
    rows: Vec<f32>,
    scores: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
}

/// What the kernels see.
struct Shared<'a> {
    plan: &'a Plan,
    weights: &'a [Vec<Vec<u8>>],
    vectors: &'a [f32],
    buffers: &'a mut [Vec<f32>],
    ids: &'a mut [u32],
    pages: &'a [u32],
    top: u32,
    state: State,
    scratch: &'a mut Scratch,
}

impl CpuExecutor {
    /// Everything that the plan names.
    pub fn new(plan: Rc<Plan>) -> Self {
        let shards = |w: &crate::plan::Weight| w.shards.iter().map(|s| vec![0; s.bytes]).collect();
        CpuExecutor {
            weights: plan.weights.iter().map(shards).collect(),
            vectors: vec![0.0; plan.vectors_len],
            buffers: plan.buffers.iter().map(|b| vec![0.0; b.len]).collect(),
            ids: vec![0; plan.options.slice_tokens],
            pages: vec![0; plan.kv_pages],
            top: 0,
            scratch: Scratch::default(),
            plan,
        }
    }

    /// Rows of planes, from row `row` of a shard on.
    pub fn upload_rows(&mut self, weight: WeightId, shard: usize, row: usize, planes: &[Vec<u8>]) {
        for (i, plane) in planes.iter().enumerate() {
            self.upload_plane(weight, shard, row, i, plane);
        }
    }

    /// A range of one plane, from row `row` of a shard on.
    pub fn upload_plane(&mut self, weight: WeightId, shard: usize, row: usize, plane: usize, bytes: &[u8]) {
        let place = self.plan.weights[weight.0].shards[shard].planes[plane];
        let at = place.offset_bytes + row * place.stride_bytes;
        self.weights[weight.0][shard][at..][..bytes.len()].copy_from_slice(bytes);
    }

    /// Values of the vectors buffer.
    pub fn upload_vector(&mut self, offset: usize, values: &[f32]) {
        self.vectors[offset..][..values.len()].copy_from_slice(values);
    }

    /// f32 values of a buffer.
    pub fn upload_values(&mut self, buffer: BufferId, values: &[f32]) {
        self.buffers[buffer.0][..values.len()].copy_from_slice(values);
    }

    /// The page table.
    pub fn upload_pages(&mut self, pages: &[u32]) {
        self.pages[..pages.len()].copy_from_slice(pages);
    }

    /// Goes on with a plan that has more weights, buffers and bodies than the one so far.
    pub fn extend(&mut self, plan: Rc<Plan>) {
        let shards = |w: &crate::plan::Weight| w.shards.iter().map(|s| vec![0; s.bytes]).collect();
        self.weights.extend(plan.weights[self.weights.len()..].iter().map(shards));
        self.buffers.extend(plan.buffers[self.buffers.len()..].iter().map(|b| vec![0.0; b.len]));
        self.plan = plan;
    }

    /// Runs a slice with the steps of `which`.
    pub fn run(&mut self, state: State, ids: &[u32], which: usize, body: Body, head: bool) {
        self.ids[..ids.len()].copy_from_slice(ids);
        let plan = Rc::clone(&self.plan);
        let steps = &plan.bodies[which];
        let body = match body {
            Body::Prefill => &steps.prefill[..],
            Body::Decode => &steps.decode,
            Body::Nothing => &[][..],
        };
        let head: &[Step] = if head { &steps.head } else { &[] };
        let mut shared = Shared {
            plan: &plan,
            weights: &self.weights,
            vectors: &self.vectors,
            buffers: &mut self.buffers,
            ids: &mut self.ids,
            pages: &self.pages,
            top: self.top,
            state,
            scratch: &mut self.scratch,
        };
        for step in body.iter().chain(head) {
            match step {
                Step::Embed(s) => embed_rows::embed_rows(&mut shared, s),
                Step::Norm(s) => norm_rows::norm_rows(&mut shared, s),
                Step::Linear(s) => matmul::matmul(&mut shared, s),
                Step::RopeStore(s) => rope_store::rope_store(&mut shared, s),
                Step::Attend(s) => attend::attend(&mut shared, s),
                Step::Conv(s) => conv::conv(&mut shared, s),
                Step::Mamba2(s) => mamba2_scan::mamba2_scan(&mut shared, s),
                Step::Delta(s) => delta_scan::delta_scan(&mut shared, s),
                Step::GatedNorm(s) => gated_norm::gated_norm(&mut shared, s),
                Step::Route(s) => route::route(&mut shared, s),
                Step::ExpertsUp(s) => experts::experts_up(&mut shared, s),
                Step::ExpertsDown(s) => experts::experts_down(&mut shared, s),
                Step::Scale(s) => scale_rows::scale_rows(&mut shared, s),
                Step::Gate(s) => gate_rows::gate_rows(&mut shared, s),
                Step::Clear(s) => clear_rows::clear_rows(&mut shared, s),
                Step::Pool(s) => pool_rows::pool_rows(&mut shared, s),
                Step::Top(s) => pick_top::pick_top(&mut shared, s),
            }
        }
        self.top = shared.top;
    }

    /// The last greedy choice.
    pub fn top(&self) -> u32 {
        self.top
    }

    /// The first `rows` rows of a view, without padding.
    pub fn read(&self, view: View, rows: usize, out: &mut Vec<f32>) {
        out.clear();
        for r in 0..rows {
            out.extend_from_slice(&self.buffers[view.buffer.0][view.offset + r * view.stride..][..view.cols]);
        }
    }
}
