//! Other workers of the CPU. Each holds shards of weights and multiplies with them, while the one that runs the plan multiplies
//! with its own.

use std::borrow::Cow;
use std::collections::HashMap;

use super::inputs::Inputs;
use super::tiles::{Tile, multiply, rows_at_once};
use crate::formats::{Format, PLANES_MAX, Planes, Precision, UNIT};
use crate::plan::{Shard, Weight, WeightId};

/// Those who hold the shards of a plan whose lane is not 0. One that fails says so elsewhere; what it should answer stays as it is.
pub trait Crew: std::fmt::Debug {
    /// Asks for the products of rows, `[rows, cols]`, with a shard of so many `outputs`. One question a lane, until it is answered.
    fn ask(&mut self, shard: (WeightId, usize), cols: usize, outputs: usize, rows: &[f32]);

    /// The products, `[rows, outputs]`.
    fn answer(&mut self, shard: (WeightId, usize), outputs: usize, out: &mut [f32]);

    /// The values of a row of a shard.
    fn row(&mut self, shard: (WeightId, usize), row: usize, out: &mut [f32]);
}

/// Words of an [`Order`].
pub const ORDER_WORDS: usize = 16;

/// What a [`Hand`] is told to do. Shards have numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Make room for a shard.
    Hold {
        /// Its number.
        key: u32,
        /// ggml's type number.
        type_id: u32,
        /// Values of a row.
        cols: u32,
        /// Rows.
        rows: u32,
        /// Of the products with it.
        precision: Precision,
        /// Its length.
        len_bytes: u32,
        /// Where planes lie, and from row to row.
        planes: [(u32, u32); PLANES_MAX],
    },
    /// The body of the order goes to the shard's bytes from `offset_bytes` on.
    Fill {
        /// Which shard.
        key: u32,
        /// From where on.
        offset_bytes: u32,
    },
    /// The body is rows: answer with their products.
    Multiply {
        /// Which shard.
        key: u32,
    },
    /// Answer with the values of a row.
    Row {
        /// Which shard.
        key: u32,
        /// Which row.
        row: u32,
    },
    /// Forget a shard.
    Drop {
        /// Which shard.
        key: u32,
    },
}

impl Order {
    /// Makes room for a shard of a weight.
    pub fn hold(key: u32, weight: &Weight, shard: &Shard, precision: Precision) -> Self {
        let mut planes = [(0, 0); PLANES_MAX];
        for (to, from) in planes.iter_mut().zip(&shard.planes) {
            *to = (from.offset_bytes as u32, from.stride_bytes as u32);
        }
        Order::Hold {
            key,
            type_id: weight.format.type_id,
            cols: weight.cols as u32,
            rows: (shard.outputs * weight.rows_per_output) as u32,
            precision,
            len_bytes: shard.bytes as u32,
            planes,
        }
    }

    /// As it is sent.
    pub fn words(self) -> [u32; ORDER_WORDS] {
        let mut words = [0; ORDER_WORDS];
        let (first, planes) = words.split_at_mut(ORDER_WORDS - 2 * PLANES_MAX);
        let head = match self {
            Order::Hold { key, type_id, cols, rows, precision, len_bytes, planes: places } => {
                for (to, (offset, stride)) in planes.as_chunks_mut::<2>().0.iter_mut().zip(places) {
                    *to = [offset, stride];
                }
                [0, key, type_id, cols, rows, u32::from(precision == Precision::Fast), len_bytes]
            }
            Order::Fill { key, offset_bytes } => [1, key, offset_bytes, 0, 0, 0, 0],
            Order::Multiply { key } => [2, key, 0, 0, 0, 0, 0],
            Order::Row { key, row } => [3, key, row, 0, 0, 0, 0],
            Order::Drop { key } => [4, key, 0, 0, 0, 0, 0],
        };
        first[..head.len()].copy_from_slice(&head);
        words
    }

    /// What was sent; `None` where it is none.
    pub fn read(words: &[u32; ORDER_WORDS]) -> Option<Self> {
        let (first, places) = words.split_at(ORDER_WORDS - 2 * PLANES_MAX);
        let key = first[1];
        Some(match first[0] {
            0 => Order::Hold {
                key,
                type_id: first[2],
                cols: first[3],
                rows: first[4],
                precision: if first[5] == 1 { Precision::Fast } else { Precision::Exact },
                len_bytes: first[6],
                planes: std::array::from_fn(|i| (places[2 * i], places[2 * i + 1])),
            },
            1 => Order::Fill { key, offset_bytes: first[2] },
            2 => Order::Multiply { key },
            3 => Order::Row { key, row: first[2] },
            4 => Order::Drop { key },
            _ => return None,
        })
    }
}

/// Why an order was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There is no memory for the shard.
    Memory,
    /// It makes no sense.
    Order,
}

/// One of the crew: holds shards and does what it is told.
#[derive(Debug, Default)]
pub struct Hand {
    shards: HashMap<u32, Held>,
    inputs: Inputs,
    tile: Tile,
    products: Vec<f32>,
}

/// A shard.
#[derive(Debug)]
struct Held {
    format: &'static Format,
    cols: usize,
    rows: usize,
    precision: Precision,
    planes: [(usize, usize); PLANES_MAX],
    bytes: Vec<u8>,
}

impl Hand {
    /// Does what an order says, with its body. Nothing is answered where it asks for nothing.
    ///
    /// # Errors
    /// Where there is no memory, or the order makes no sense.
    pub fn obey(&mut self, order: Order, body: &[u8], answer: &mut Vec<f32>) -> Result<(), Refusal> {
        answer.clear();
        match order {
            Order::Hold { key, type_id, cols, rows, precision, len_bytes, planes } => {
                let format = Format::by_id(type_id).ok_or(Refusal::Order)?;
                let mut bytes = Vec::new();
                bytes.try_reserve_exact(len_bytes as usize).map_err(|_| Refusal::Memory)?;
                bytes.resize(len_bytes as usize, 0);
                let planes = planes.map(|(offset, stride)| (offset as usize, stride as usize));
                let (cols, rows) = (cols as usize, rows as usize);
                self.shards.insert(key, Held { format, cols, rows, precision, planes, bytes });
            }
            Order::Fill { key, offset_bytes } => {
                let held = self.shards.get_mut(&key).ok_or(Refusal::Order)?;
                let to = held.bytes.get_mut(offset_bytes as usize..).and_then(|to| to.get_mut(..body.len()));
                to.ok_or(Refusal::Order)?.copy_from_slice(body);
            }
            Order::Multiply { key } => {
                let held = self.shards.get(&key).ok_or(Refusal::Order)?;
                // Bytes need not lie where floats may.
                let copied =
                    |_| body.as_chunks::<4>().0.iter().map(|value| f32::from_le_bytes(*value)).collect();
                let rows: Cow<'_, [f32]> =
                    bytemuck::try_cast_slice(body).map_or_else(|why| Cow::Owned(copied(why)), Cow::Borrowed);
                let (planes, cols) = (held.planes(), held.cols);
                let count = rows.len() / cols;
                self.inputs.fill((held.format, held.precision), count, cols, |t, out| {
                    out.copy_from_slice(&rows[t * cols..][..cols]);
                });
                answer.resize(count * held.rows, 0.0);
                let most = rows_at_once(&self.inputs);
                for first in (0..held.rows).step_by(most) {
                    let n = most.min(held.rows - first);
                    self.products.resize(count * n, 0.0);
                    multiply(
                        &mut self.tile,
                        &self.inputs,
                        held.format,
                        &planes,
                        first,
                        n,
                        &mut self.products,
                    );
                    for (out, y) in answer.chunks_exact_mut(held.rows).zip(self.products.chunks_exact(n)) {
                        out[first..][..n].copy_from_slice(y);
                    }
                }
            }
            Order::Row { key, row } => {
                let held = self.shards.get(&key).ok_or(Refusal::Order)?;
                if row as usize >= held.rows {
                    return Err(Refusal::Order);
                }
                answer.resize(held.cols.next_multiple_of(UNIT), 0.0);
                held.format.unpack(&held.planes().row(row as usize), answer);
                answer.truncate(held.cols);
            }
            Order::Drop { key } => drop(self.shards.remove(&key)),
        }
        Ok(())
    }
}

impl Held {
    fn planes(&self) -> Planes<'_> {
        let mut planes = Planes::default();
        for (i, (offset, stride)) in self.planes.into_iter().enumerate().take(self.format.planes.len()) {
            planes.bytes[i] = &self.bytes[offset..];
            planes.strides_bytes[i] = stride;
        }
        planes
    }
}
