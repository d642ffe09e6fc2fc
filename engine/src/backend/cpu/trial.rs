//! How many threads of a pool help: products of a vector with a matrix are timed, shared among one, two, three and so on.

use super::thread_pool::{Channels, ThreadPool};
use crate::backend::error::DeviceError;
use crate::formats::{Format, Precision};
use crate::kernels::{ShardCommand, ShardStore};
use crate::plan::{PlanePlace, Shard, Weight};

/// So much more than the least is as good: a thread costs memory.
const LITTLE_MORE: f64 = 1.1;
/// One alone is best only where it is so much better: what it shared its time with may be gone soon.
const BETTER_ALONE: f64 = 0.9;
/// The matrix is as large as one of a small model, in Q8_0.
const TYPE_ID: u32 = 8;
const COLS: usize = 1024;
const ROWS: usize = 1024;
/// In turn, because other programs and the browser's compilers take a core now and then. The least time counts, once it has not
/// become less for so many turns.
const STEADY_TURNS: usize = 12;
/// So much less is less.
const LITTLE_LESS: f64 = 0.97;
const WITHIN_MS: f64 = 60.0;

impl ThreadPool {
    /// Ends the threads that do not help, measured with the clock `now_ms`.
    pub fn keep_helpful(&self, now_ms: impl Fn() -> f64) {
        let mut channels = self.channels();
        if channels.count() > 0 {
            // What goes wrong shows again when it is used.
            let count = helpful(&mut channels, now_ms).unwrap_or(0);
            channels.truncate(count);
        }
    }
}

/// How many other threads make products fastest.
fn helpful(channels: &mut Channels, now_ms: impl Fn() -> f64) -> Result<usize, DeviceError> {
    let mut own = ShardStore::default();
    let commands = (0..=channels.count()).map(|count| allocate(channels, &mut own, count));
    let commands = commands.collect::<Result<Vec<_>, _>>()?;
    let mut times_ms = vec![f64::INFINITY; commands.len()];
    let (began_ms, mut steady) = (now_ms(), 0);
    while steady < STEADY_TURNS && now_ms() - began_ms < WITHIN_MS {
        steady += 1;
        for (count, command) in commands.iter().enumerate() {
            let start_ms = now_ms();
            multiply(channels, &mut own, count, *command)?;
            let time_ms = now_ms() - start_ms;
            if time_ms < LITTLE_LESS * times_ms[count] {
                steady = 0;
            }
            times_ms[count] = times_ms[count].min(time_ms);
        }
    }
    for (count, command) in commands.iter().enumerate() {
        if let ShardCommand::Multiply { key } = *command {
            (1..=count)
                .try_for_each(|thread| channels.call(thread, ShardCommand::Free { key }, &[], &mut []))?;
        }
    }
    let least_ms = times_ms[1..].iter().copied().fold(f64::INFINITY, f64::min);
    if times_ms[0] < BETTER_ALONE * least_ms {
        return Ok(0);
    }
    Ok(1 + times_ms[1..].iter().position(|time| *time <= LITTLE_MORE * least_ms).unwrap_or(0))
}

/// Gives a part of a matrix to this thread and to so many others. Returns the command to multiply with it.
fn allocate(
    channels: &mut Channels,
    own: &mut ShardStore,
    count: usize,
) -> Result<ShardCommand, DeviceError> {
    let Some(format) = Format::by_id(TYPE_ID) else { return Err(nonsense()) };
    let rows = ROWS.div_ceil(1 + count);
    let (mut planes, mut bytes) = (Vec::new(), 0);
    for plane in 0..format.planes.len() {
        let stride_bytes = format.plane_stride_bytes(plane, COLS);
        planes.push(PlanePlace { offset_bytes: bytes, stride_bytes });
        bytes = (bytes + stride_bytes * rows).next_multiple_of(16);
    }
    let (parts, codebook_offset_bytes) = (Vec::new(), bytes);
    let shard = Shard { first: 0, outputs: rows, parts, planes, codebook_offset_bytes, bytes, thread: 0 };
    let weight = Weight { format, cols: COLS, outputs: rows, rows_per_output: 1, shards: Vec::new() };
    let key = channels.next_key();
    let command = ShardCommand::allocate(key, &weight, &shard, Precision::Fast);
    own.execute(command, &[], &mut Vec::new()).map_err(|_| nonsense())?;
    (1..=count).try_for_each(|thread| channels.call(thread, command, &[], &mut []))?;
    Ok(ShardCommand::Multiply { key })
}

/// A product that so many others have a part in.
fn multiply(
    channels: &mut Channels,
    own: &mut ShardStore,
    count: usize,
    command: ShardCommand,
) -> Result<(), DeviceError> {
    let x = [1.0f32; COLS];
    let body = bytemuck::cast_slice(&x);
    let mut out = vec![0.0; ROWS.div_ceil(1 + count)];
    (1..=count)
        .try_for_each(|thread| channels.with(thread, |channel| channel.send(&command.words(), body)))?;
    own.execute(command, body, &mut Vec::new()).map_err(|_| nonsense())?;
    (1..=count).try_for_each(|thread| channels.with(thread, |channel| channel.receive(&mut out)))
}

fn nonsense() -> DeviceError {
    DeviceError::Internal { detail: "the matrix that is tried cannot be made".to_owned() }
}
