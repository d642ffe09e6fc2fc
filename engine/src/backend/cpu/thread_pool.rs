//! Threads beside the one that runs a plan, and the shards that they store for a plan.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use crate::backend::error::DeviceError;
use crate::kernels::{self, COMMAND_WORDS, ShardCommand};
use crate::plan::{Layout, Threads, WeightId};

/// Most bytes of a command's body, and of its output.
pub const BODY_BYTES_MAX: usize = 16 << 20;

/// The way to a thread of the pool: one command at a time.
pub trait Channel {
    /// Sends a command with its body, of up to [`BODY_BYTES_MAX`].
    ///
    /// # Errors
    /// `Lost` where the thread has ended.
    fn send(&mut self, command: &[u32; COMMAND_WORDS], body: &[u8]) -> Result<(), DeviceError>;

    /// Waits until the command is done, whose output fills `out`.
    ///
    /// # Errors
    /// `OutOfMemory` where there was no room for a shard, `Lost` where the thread does not respond.
    fn receive(&mut self, out: &mut [f32]) -> Result<(), DeviceError>;
}

/// Threads that store shards of weights and multiply with them. A device has one pool for all its models.
#[derive(Clone, Default)]
pub struct ThreadPool(Rc<RefCell<Channels>>);

/// The channels to its threads.
#[derive(Default)]
pub(super) struct Channels {
    channels: Vec<Box<dyn Channel>>,
    /// Whether a command was sent that nobody waited for yet.
    pending: Vec<bool>,
    last_key: u32,
    bytes_min: Option<usize>,
    /// Why the pool is not used any more.
    lost: Option<DeviceError>,
}

impl Channels {
    /// Uses a channel, unless one is lost.
    pub fn with(
        &mut self,
        thread: usize,
        call: impl FnOnce(&mut dyn Channel) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        if let Some(lost) = &self.lost {
            return Err(lost.clone());
        }
        let is_pending = self.pending.get_mut(thread - 1).is_some_and(std::mem::take);
        let missing = || Err(DeviceError::Lost { reason: format!("there is no thread {thread}") });
        let result = self.channels.get_mut(thread - 1).map_or_else(missing, |channel| {
            if is_pending {
                channel.receive(&mut [])?;
            }
            call(channel.as_mut())
        });
        self.lost = result.clone().err().filter(|error| matches!(error, DeviceError::Lost { .. }));
        result
    }

    /// Sends a command and waits for its output.
    pub fn call(
        &mut self,
        thread: usize,
        command: ShardCommand,
        body: &[u8],
        out: &mut [f32],
    ) -> Result<(), DeviceError> {
        self.with(thread, |channel| {
            channel.send(&command.words(), body)?;
            channel.receive(out)
        })
    }

    /// Sends a command without output and does not wait. An error is returned by the next call.
    pub fn post(&mut self, thread: usize, command: ShardCommand, body: &[u8]) -> Result<(), DeviceError> {
        self.with(thread, |channel| channel.send(&command.words(), body))?;
        self.pending[thread - 1] = true;
        Ok(())
    }

    /// A new number for a shard.
    pub fn next_key(&mut self) -> u32 {
        self.last_key += 1;
        self.last_key
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.channels.len()
    }

    /// Ends all threads but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.channels.truncate(count);
    }
}

impl ThreadPool {
    /// The threads at the other ends of these channels.
    pub fn new(channels: Vec<Box<dyn Channel>>) -> Self {
        let pending = vec![false; channels.len()];
        ThreadPool(Rc::new(RefCell::new(Channels { channels, pending, ..Channels::default() })))
    }

    /// The same, for matrices of at least so many bytes.
    #[must_use]
    pub fn with_bytes_min(self, bytes_min: usize) -> Self {
        self.0.borrow_mut().bytes_min = Some(bytes_min);
        self
    }

    /// How many threads there are, with the one that runs the plan.
    pub fn threads(&self) -> Threads {
        let channels = self.0.borrow();
        let bytes_min = channels.bytes_min.unwrap_or(Threads::ONE.bytes_min);
        Threads { count: 1 + channels.channels.len(), bytes_min }
    }

    /// Why the pool is not used any more, if one of its threads was lost.
    pub fn lost(&self) -> Option<DeviceError> {
        self.0.borrow().lost.clone()
    }

    pub(super) fn channels(&self) -> RefMut<'_, Channels> {
        self.0.borrow_mut()
    }
}

/// The shards of a plan that the pool stores; dropping it frees them.
pub(super) struct PoolShards {
    pool: ThreadPool,
    /// Threads and numbers of the shards of weights.
    keys: Vec<Vec<(usize, u32)>>,
    /// Rows of products that did not fit one command, of each thread.
    waiting: Vec<Waiting>,
    /// What went wrong first.
    failure: Option<DeviceError>,
}

#[derive(Default, Clone)]
struct Waiting {
    cols: usize,
    /// How many fit one command.
    each: usize,
    rows: Vec<f32>,
}

impl PoolShards {
    pub fn new(pool: ThreadPool) -> Self {
        PoolShards {
            waiting: vec![Waiting::default(); pool.threads().count],
            pool,
            keys: Vec::new(),
            failure: None,
        }
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

    /// Allocates the shards of weights that the pool does not store yet.
    pub fn allocate(&mut self, layout: &Layout) {
        for weight in &layout.weights[self.keys.len()..] {
            let mut keys = Vec::new();
            for shard in &weight.shards {
                let mut channels = self.pool.0.borrow_mut();
                let key = channels.next_key();
                keys.push((shard.thread, key));
                if shard.thread > 0 {
                    let command = ShardCommand::allocate(key, weight, shard, layout.options.precision);
                    let allocated = channels.call(shard.thread, command, &[], &mut []);
                    drop(channels);
                    self.note(allocated);
                }
            }
            self.keys.push(keys);
        }
    }

    /// Writes bytes of a shard of another thread; false where it belongs to the one that runs the plan.
    pub fn write(&mut self, weight: WeightId, shard: usize, offset_bytes: usize, bytes: &[u8]) -> bool {
        let (thread, key) = self.keys[weight.0][shard];
        if thread == 0 {
            return false;
        }
        if self.failure.is_some() {
            return true;
        }
        for (i, piece) in bytes.chunks(BODY_BYTES_MAX).enumerate() {
            let offset_bytes = (offset_bytes + i * BODY_BYTES_MAX) as u32;
            let command = ShardCommand::Write { key, offset_bytes };
            let posted = self.pool.0.borrow_mut().post(thread, command, piece);
            self.note(posted);
        }
        true
    }
}

impl std::fmt::Debug for PoolShards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "shards on {} threads", self.pool.threads().count)
    }
}

impl Drop for PoolShards {
    fn drop(&mut self) {
        let mut channels = self.pool.0.borrow_mut();
        for (thread, key) in self.keys.iter().flatten().filter(|(thread, _)| *thread > 0) {
            // A thread that has ended stores nothing.
            let _ = channels.call(*thread, ShardCommand::Free { key: *key }, &[], &mut []);
        }
    }
}

impl kernels::RemoteShards for PoolShards {
    fn start_multiply(
        &mut self,
        (weight, shard): (WeightId, usize),
        cols: usize,
        outputs: usize,
        rows: &[f32],
    ) {
        let (thread, key) = self.keys[weight.0][shard];
        let each = (BODY_BYTES_MAX / size_of::<f32>() / cols.max(outputs)).max(1);
        let (now, later) = rows.split_at(rows.len().min(each * cols));
        let waiting = &mut self.waiting[thread];
        (waiting.cols, waiting.each) = (cols, each);
        waiting.rows.clear();
        waiting.rows.extend_from_slice(later);
        let multiply = ShardCommand::Multiply { key }.words();
        let sent = self
            .pool
            .0
            .borrow_mut()
            .with(thread, |channel| channel.send(&multiply, bytemuck::cast_slice(now)));
        self.note(sent);
    }

    fn finish_multiply(&mut self, (weight, shard): (WeightId, usize), outputs: usize, out: &mut [f32]) {
        let (thread, key) = self.keys[weight.0][shard];
        let Waiting { cols, each, rows } = &self.waiting[thread];
        let multiply = ShardCommand::Multiply { key }.words();
        let mut later = rows.chunks(each * cols);
        let received = out.chunks_mut(each * outputs).try_for_each(|out| {
            self.pool.0.borrow_mut().with(thread, |channel| {
                channel.receive(out)?;
                later.next().map_or(Ok(()), |rows| channel.send(&multiply, bytemuck::cast_slice(rows)))
            })
        });
        self.note(received);
    }

    fn read_row(&mut self, (weight, shard): (WeightId, usize), row: usize, out: &mut [f32]) {
        let (thread, key) = self.keys[weight.0][shard];
        let command = ShardCommand::ReadRow { key, row: row as u32 };
        let received = self.pool.0.borrow_mut().call(thread, command, &[], out);
        self.note(received);
    }
}
