//! Workers beside the one that runs a plan: who they are, and the shards that they hold for a plan.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use crate::backend::error::DeviceError;
use crate::kernels::{self, ORDER_WORDS, Order};
use crate::plan::{Lanes, Layout, WeightId};

/// Most bytes that go with an order, and that are answered.
pub const BODY_BYTES_MAX: usize = 16 << 20;

/// The way to one of the crew: one order at a time.
pub trait Line {
    /// Sends an order with its body, of up to [`BODY_BYTES_MAX`].
    ///
    /// # Errors
    /// `Lost` where nobody is there.
    fn send(&mut self, order: &[u32; ORDER_WORDS], body: &[u8]) -> Result<(), DeviceError>;

    /// Waits until the order is done, whose answer fills `out`.
    ///
    /// # Errors
    /// `OutOfMemory` where there was no room for a shard, `Lost` where nobody answers.
    fn receive(&mut self, out: &mut [f32]) -> Result<(), DeviceError>;
}

/// Workers that hold shards of weights and multiply with them. Those of a device serve all its models.
#[derive(Clone, Default)]
pub struct Crew(Rc<RefCell<Lines>>);

/// The ways to them.
#[derive(Default)]
pub(super) struct Lines {
    lines: Vec<Box<dyn Line>>,
    /// Whether an order was not waited for yet.
    owing: Vec<bool>,
    last_key: u32,
    bytes_min: Option<usize>,
    /// Why nobody is asked any more.
    lost: Option<DeviceError>,
}

impl Lines {
    /// Calls a line, unless one is lost.
    pub fn with(
        &mut self,
        lane: usize,
        call: impl FnOnce(&mut dyn Line) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        if let Some(lost) = &self.lost {
            return Err(lost.clone());
        }
        let owes = self.owing.get_mut(lane - 1).is_some_and(std::mem::take);
        let nobody = || Err(DeviceError::Lost { reason: format!("there is no worker {lane}") });
        let result = self.lines.get_mut(lane - 1).map_or_else(nobody, |line| {
            if owes {
                line.receive(&mut [])?;
            }
            call(line.as_mut())
        });
        self.lost = result.clone().err().filter(|error| matches!(error, DeviceError::Lost { .. }));
        result
    }

    /// Sends an order and waits for its answer.
    pub fn order(
        &mut self,
        lane: usize,
        order: Order,
        body: &[u8],
        out: &mut [f32],
    ) -> Result<(), DeviceError> {
        self.with(lane, |line| {
            line.send(&order.words(), body)?;
            line.receive(out)
        })
    }

    /// Sends an order that answers nothing. Whether it went well shows at the next one.
    pub fn tell(&mut self, lane: usize, order: Order, body: &[u8]) -> Result<(), DeviceError> {
        self.with(lane, |line| line.send(&order.words(), body))?;
        self.owing[lane - 1] = true;
        Ok(())
    }

    /// A number for a shard.
    pub fn key(&mut self) -> u32 {
        self.last_key += 1;
        self.last_key
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// Lets go of all but the first.
    pub fn keep(&mut self, count: usize) {
        self.lines.truncate(count);
    }
}

impl Crew {
    /// Those at the other ends of these lines.
    pub fn new(lines: Vec<Box<dyn Line>>) -> Self {
        let owing = vec![false; lines.len()];
        Crew(Rc::new(RefCell::new(Lines { lines, owing, ..Lines::default() })))
    }

    /// The same, who share matrices from so many bytes on.
    #[must_use]
    pub fn sharing_from(self, bytes_min: usize) -> Self {
        self.0.borrow_mut().bytes_min = Some(bytes_min);
        self
    }

    /// They and the one that runs the plan.
    pub fn lanes(&self) -> Lanes {
        let lines = self.0.borrow();
        let bytes_min = lines.bytes_min.unwrap_or(Lanes::ONE.bytes_min);
        Lanes { count: 1 + lines.lines.len(), bytes_min }
    }

    /// Why it does nothing any more, if one of it was lost.
    pub fn lost(&self) -> Option<DeviceError> {
        self.0.borrow().lost.clone()
    }

    pub(super) fn lines(&self) -> RefMut<'_, Lines> {
        self.0.borrow_mut()
    }
}

/// The shards of a plan that the crew holds. They go when this goes.
pub(super) struct Team {
    crew: Crew,
    /// Lanes and numbers of the shards of weights.
    keys: Vec<Vec<(usize, u32)>>,
    /// Rows of products that did not fit one order, of each lane.
    waiting: Vec<Waiting>,
    /// What went wrong first.
    failure: Option<DeviceError>,
}

#[derive(Default, Clone)]
struct Waiting {
    cols: usize,
    /// How many go with an order.
    each: usize,
    rows: Vec<f32>,
}

impl Team {
    pub fn new(crew: Crew) -> Self {
        Team { waiting: vec![Waiting::default(); crew.lanes().count], crew, keys: Vec::new(), failure: None }
    }

    /// What went wrong, if anything did.
    pub fn failure(&self) -> Option<&DeviceError> {
        self.failure.as_ref()
    }

    fn note(&mut self, result: Result<(), DeviceError>) {
        if self.failure.is_none() {
            self.failure = result.err();
        }
    }

    /// Has the crew make room for shards of weights that it does not hold yet.
    pub fn hold(&mut self, layout: &Layout) {
        for weight in &layout.weights[self.keys.len()..] {
            let mut keys = Vec::new();
            for shard in &weight.shards {
                let mut lines = self.crew.0.borrow_mut();
                let key = lines.key();
                keys.push((shard.lane, key));
                if shard.lane > 0 {
                    let order = Order::hold(key, weight, shard, layout.options.precision);
                    let held = lines.order(shard.lane, order, &[], &mut []);
                    drop(lines);
                    self.note(held);
                }
            }
            self.keys.push(keys);
        }
    }

    /// Bytes of a far shard; false where it is not far.
    pub fn fill(&mut self, weight: WeightId, shard: usize, offset_bytes: usize, bytes: &[u8]) -> bool {
        let (lane, key) = self.keys[weight.0][shard];
        if lane == 0 {
            return false;
        }
        if self.failure.is_some() {
            return true;
        }
        for (i, piece) in bytes.chunks(BODY_BYTES_MAX).enumerate() {
            let offset_bytes = (offset_bytes + i * BODY_BYTES_MAX) as u32;
            let order = Order::Fill { key, offset_bytes };
            let filled = self.crew.0.borrow_mut().tell(lane, order, piece);
            self.note(filled);
        }
        true
    }
}

impl std::fmt::Debug for Team {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a team of {}", self.crew.lanes().count)
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        let mut lines = self.crew.0.borrow_mut();
        for (lane, key) in self.keys.iter().flatten().filter(|(lane, _)| *lane > 0) {
            // Where nobody is there, nothing is held.
            let _ = lines.order(*lane, Order::Drop { key: *key }, &[], &mut []);
        }
    }
}

impl kernels::Crew for Team {
    fn ask(&mut self, (weight, shard): (WeightId, usize), cols: usize, outputs: usize, rows: &[f32]) {
        let (lane, key) = self.keys[weight.0][shard];
        let each = (BODY_BYTES_MAX / size_of::<f32>() / cols.max(outputs)).max(1);
        let (now, later) = rows.split_at(rows.len().min(each * cols));
        let waiting = &mut self.waiting[lane];
        (waiting.cols, waiting.each) = (cols, each);
        waiting.rows.clear();
        waiting.rows.extend_from_slice(later);
        let multiply = Order::Multiply { key }.words();
        let asked =
            self.crew.0.borrow_mut().with(lane, |line| line.send(&multiply, bytemuck::cast_slice(now)));
        self.note(asked);
    }

    fn answer(&mut self, (weight, shard): (WeightId, usize), outputs: usize, out: &mut [f32]) {
        let (lane, key) = self.keys[weight.0][shard];
        let Waiting { cols, each, rows } = &self.waiting[lane];
        let multiply = Order::Multiply { key }.words();
        let mut later = rows.chunks(each * cols);
        let answered = out.chunks_mut(each * outputs).try_for_each(|out| {
            self.crew.0.borrow_mut().with(lane, |line| {
                line.receive(out)?;
                later.next().map_or(Ok(()), |rows| line.send(&multiply, bytemuck::cast_slice(rows)))
            })
        });
        self.note(answered);
    }

    fn row(&mut self, (weight, shard): (WeightId, usize), row: usize, out: &mut [f32]) {
        let (lane, key) = self.keys[weight.0][shard];
        let order = Order::Row { key, row: row as u32 };
        let answered = self.crew.0.borrow_mut().order(lane, order, &[], out);
        self.note(answered);
    }
}
