//! How many of a crew help: products of a vector with a matrix are timed, shared among one, two, three and so on.

use super::crew::{Crew, Lines};
use crate::backend::error::DeviceError;
use crate::formats::{Format, Precision};
use crate::kernels::{Hand, Order};
use crate::plan::{PlanePlace, Shard, Weight};

/// So much more than the least is as good: a worker costs memory.
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

impl Crew {
    /// Lets go of those that do not help, as `now_ms` says.
    pub fn keep_those_that_help(&self, now_ms: impl Fn() -> f64) {
        let mut lines = self.lines();
        if lines.count() > 0 {
            // What goes wrong shows again when it is used.
            let count = helpful(&mut lines, now_ms).unwrap_or(0);
            lines.keep(count);
        }
    }
}

/// How many lines make products fastest.
fn helpful(lines: &mut Lines, now_ms: impl Fn() -> f64) -> Result<usize, DeviceError> {
    let mut own = Hand::default();
    let orders = (0..=lines.count()).map(|count| hold(lines, &mut own, count));
    let orders = orders.collect::<Result<Vec<_>, _>>()?;
    let mut times_ms = vec![f64::INFINITY; orders.len()];
    let (began_ms, mut steady) = (now_ms(), 0);
    while steady < STEADY_TURNS && now_ms() - began_ms < WITHIN_MS {
        steady += 1;
        for (count, order) in orders.iter().enumerate() {
            let start_ms = now_ms();
            multiply(lines, &mut own, count, *order)?;
            let time_ms = now_ms() - start_ms;
            if time_ms < LITTLE_LESS * times_ms[count] {
                steady = 0;
            }
            times_ms[count] = times_ms[count].min(time_ms);
        }
    }
    for (count, order) in orders.iter().enumerate() {
        if let Order::Multiply { key } = *order {
            (1..=count).try_for_each(|lane| lines.order(lane, Order::Drop { key }, &[], &mut []))?;
        }
    }
    let least_ms = times_ms[1..].iter().copied().fold(f64::INFINITY, f64::min);
    if times_ms[0] < BETTER_ALONE * least_ms {
        return Ok(0);
    }
    Ok(1 + times_ms[1..].iter().position(|time| *time <= LITTLE_MORE * least_ms).unwrap_or(0))
}

/// Gives a part of a matrix to this worker and to so many others. Returns the order to multiply with it.
fn hold(lines: &mut Lines, own: &mut Hand, count: usize) -> Result<Order, DeviceError> {
    let Some(format) = Format::by_id(TYPE_ID) else { return Err(nonsense()) };
    let rows = ROWS.div_ceil(1 + count);
    let (mut planes, mut bytes) = (Vec::new(), 0);
    for plane in 0..format.planes.len() {
        let stride_bytes = format.plane_stride_bytes(plane, COLS);
        planes.push(PlanePlace { offset_bytes: bytes, stride_bytes });
        bytes = (bytes + stride_bytes * rows).next_multiple_of(16);
    }
    let (parts, codebook_offset_bytes) = (Vec::new(), bytes);
    let shard = Shard { first: 0, outputs: rows, parts, planes, codebook_offset_bytes, bytes, lane: 0 };
    let weight = Weight { format, cols: COLS, outputs: rows, rows_per_output: 1, shards: Vec::new() };
    let key = lines.key();
    let order = Order::hold(key, &weight, &shard, Precision::Fast);
    own.obey(order, &[], &mut Vec::new()).map_err(|_| nonsense())?;
    (1..=count).try_for_each(|lane| lines.order(lane, order, &[], &mut []))?;
    Ok(Order::Multiply { key })
}

/// A product that so many others have a part in.
fn multiply(lines: &mut Lines, own: &mut Hand, count: usize, order: Order) -> Result<(), DeviceError> {
    let x = [1.0f32; COLS];
    let body = bytemuck::cast_slice(&x);
    let mut out = vec![0.0; ROWS.div_ceil(1 + count)];
    (1..=count).try_for_each(|lane| lines.with(lane, |line| line.send(&order.words(), body)))?;
    own.obey(order, body, &mut Vec::new()).map_err(|_| nonsense())?;
    (1..=count).try_for_each(|lane| lines.with(lane, |line| line.receive(&mut out)))
}

fn nonsense() -> DeviceError {
    DeviceError::Internal { detail: "the matrix that is tried cannot be made".to_owned() }
}
