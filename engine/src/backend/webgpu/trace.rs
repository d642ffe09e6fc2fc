//! Time on the GPU by kernel, for benches: every dispatch gets a pass of its own with a timestamp at either end.

use std::cell::RefCell;
use std::rc::Rc;

use crate::backend::run::KernelTime;
use crate::planner::Plan;
use crate::shaders::{Bound, Dispatch};

/// Timestamps between two collections; the most that a set can have.
const QUERIES: u32 = 4096;

/// Timestamps that have been asked for and not been read.
pub struct Trace {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    back: wgpu::Buffer,
    pending: RefCell<Vec<Rc<Traced>>>,
}

/// What is known of a dispatch before it runs.
pub struct Traced {
    kernel: String,
    weight_bytes: u64,
}

impl Traced {
    pub fn of(plan: &Plan, d: &Dispatch) -> Rc<Self> {
        Rc::new(Traced { kernel: d.variant.label(), weight_bytes: weight_bytes(plan, d) })
    }
}

/// Bytes of weights that a product reads; 0 for other kernels, which read none, or only the rows that are asked for.
pub fn weight_bytes(plan: &Plan, d: &Dispatch) -> u64 {
    let mut shards: Vec<_> = d.bound.iter().filter(|b| matches!(b, Bound::Shard(..))).collect();
    // Decoded codes and their scales are two bindings of one buffer.
    shards.dedup();
    let bytes = |bound: &&Bound| match **bound {
        Bound::Shard(weight, shard) => plan.layout.weights[weight.0].shards[shard].bytes as u64,
        _ => 0,
    };
    let all = ["matvec", "matmul"].iter().any(|kernel| d.variant.kernel.starts_with(kernel));
    if all { shards.iter().map(bytes).sum() } else { 0 }
}

impl Trace {
    pub fn new(device: &wgpu::Device) -> Self {
        use wgpu::BufferUsages as Usage;
        let buffer = |usage| {
            let size = 8 * u64::from(QUERIES);
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        Trace {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: QUERIES,
            }),
            resolved: buffer(Usage::QUERY_RESOLVE | Usage::COPY_SRC),
            back: buffer(Usage::MAP_READ | Usage::COPY_DST),
            pending: RefCell::default(),
        }
    }

    /// Timestamps for the pass of one dispatch; none once all are taken.
    pub fn writes(&self, dispatch: &Rc<Traced>) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let mut pending = self.pending.borrow_mut();
        let at = 2 * pending.len() as u32;
        if at == QUERIES {
            return None;
        }
        pending.push(Rc::clone(dispatch));
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(at),
            end_of_pass_write_index: Some(at + 1),
        })
    }

    /// What was dispatched since the last call, with its timestamps on their way to a buffer; `None` where nothing was.
    pub fn take(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Taken<'_>> {
        let dispatches = self.pending.take();
        if dispatches.is_empty() {
            return None;
        }
        let taken = Taken { dispatches, back: &self.back, period_ns: queue.get_timestamp_period().into() };
        let count = 2 * taken.dispatches.len() as u32;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.resolve_query_set(&self.queries, 0..count, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.back, 0, taken.bytes());
        queue.submit([encoder.finish()]);
        Some(taken)
    }
}

/// Dispatches whose timestamps arrive in a buffer.
pub struct Taken<'a> {
    dispatches: Vec<Rc<Traced>>,
    /// To be mapped.
    pub back: &'a wgpu::Buffer,
    period_ns: f64,
}

impl Taken<'_> {
    /// Size of the timestamps: one at the beginning and one at the end of each dispatch.
    pub fn bytes(&self) -> u64 {
        16 * self.dispatches.len() as u64
    }

    /// The times of the dispatches.
    pub fn times(&self, bytes: &[u8]) -> Vec<KernelTime> {
        let time = |(dispatch, ends): (&Rc<Traced>, &[u8; 16])| {
            let at = |i: usize| u64::from_le_bytes(ends.as_chunks::<8>().0[i]);
            KernelTime {
                kernel: dispatch.kernel.clone(),
                time_ns: at(1).saturating_sub(at(0)) as f64 * self.period_ns,
                weight_bytes: dispatch.weight_bytes,
            }
        };
        self.dispatches.iter().zip(bytes.as_chunks::<16>().0).map(time).collect()
    }
}
