//! Other threads of the CPU. Each stores shards of weights and multiplies with them, while the thread that runs the plan multiplies
//! with its own.

use std::borrow::Cow;
use std::collections::HashMap;

use super::inputs::Inputs;
use super::tiles::{Tile, multiply, rows_at_once};
use crate::formats::{Format, PLANES_MAX, Planes, Precision, UNIT};
use crate::plan::{Shard, Weight, WeightId};

/// The shards of a plan whose thread is not 0. A thread that fails reports it elsewhere and leaves its output as it is.
pub trait RemoteShards: std::fmt::Debug {
    /// Starts the products of rows, `[rows, cols]`, with a shard of so many `outputs`. One call a thread, until it is finished.
    fn start_multiply(&mut self, shard: (WeightId, usize), cols: usize, outputs: usize, rows: &[f32]);

    /// Waits for the products, `[rows, outputs]`.
    fn finish_multiply(&mut self, shard: (WeightId, usize), outputs: usize, out: &mut [f32]);

    /// The values of a row of a shard.
    fn read_row(&mut self, shard: (WeightId, usize), row: usize, out: &mut [f32]);
}

/// Words of a [`ShardCommand`].
pub const COMMAND_WORDS: usize = 16;

/// What a [`ShardStore`] can do. Shards have numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardCommand {
    /// Makes room for a shard.
    Allocate {
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
    /// The body of the command goes to the shard's bytes from `offset_bytes` on.
    Write {
        /// Which shard.
        key: u32,
        /// From where on.
        offset_bytes: u32,
    },
    /// The body is rows; the output is their products.
    Multiply {
        /// Which shard.
        key: u32,
    },
    /// The output is the values of a row.
    ReadRow {
        /// Which shard.
        key: u32,
        /// Which row.
        row: u32,
    },
    /// Frees a shard.
    Free {
        /// Which shard.
        key: u32,
    },
}

impl ShardCommand {
    /// Makes room for a shard of a weight.
    pub fn allocate(key: u32, weight: &Weight, shard: &Shard, precision: Precision) -> Self {
        let mut planes = [(0, 0); PLANES_MAX];
        for (to, from) in planes.iter_mut().zip(&shard.planes) {
            *to = (from.offset_bytes as u32, from.stride_bytes as u32);
        }
        ShardCommand::Allocate {
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
    pub fn words(self) -> [u32; COMMAND_WORDS] {
        let mut words = [0; COMMAND_WORDS];
        let (first, planes) = words.split_at_mut(COMMAND_WORDS - 2 * PLANES_MAX);
        let head = match self {
            ShardCommand::Allocate { key, type_id, cols, rows, precision, len_bytes, planes: places } => {
                for (to, (offset, stride)) in planes.as_chunks_mut::<2>().0.iter_mut().zip(places) {
                    *to = [offset, stride];
                }
                [0, key, type_id, cols, rows, u32::from(precision == Precision::Fast), len_bytes]
            }
            ShardCommand::Write { key, offset_bytes } => [1, key, offset_bytes, 0, 0, 0, 0],
            ShardCommand::Multiply { key } => [2, key, 0, 0, 0, 0, 0],
            ShardCommand::ReadRow { key, row } => [3, key, row, 0, 0, 0, 0],
            ShardCommand::Free { key } => [4, key, 0, 0, 0, 0, 0],
        };
        first[..head.len()].copy_from_slice(&head);
        words
    }

    /// What was sent; `None` where it is none.
    pub fn read(words: &[u32; COMMAND_WORDS]) -> Option<Self> {
        let (first, places) = words.split_at(COMMAND_WORDS - 2 * PLANES_MAX);
        let key = first[1];
        Some(match first[0] {
            0 => ShardCommand::Allocate {
                key,
                type_id: first[2],
                cols: first[3],
                rows: first[4],
                precision: if first[5] == 1 { Precision::Fast } else { Precision::Exact },
                len_bytes: first[6],
                planes: std::array::from_fn(|i| (places[2 * i], places[2 * i + 1])),
            },
            1 => ShardCommand::Write { key, offset_bytes: first[2] },
            2 => ShardCommand::Multiply { key },
            3 => ShardCommand::ReadRow { key, row: first[2] },
            4 => ShardCommand::Free { key },
            _ => return None,
        })
    }
}

/// Why a command failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandError {
    /// There is no memory for the shard.
    OutOfMemory,
    /// The command is not valid.
    Invalid,
}

/// Stores shards and multiplies with them: the state of one thread.
#[derive(Debug, Default)]
pub struct ShardStore {
    shards: HashMap<u32, StoredShard>,
    inputs: Inputs,
    tile: Tile,
    products: Vec<f32>,
}

/// A shard.
#[derive(Debug)]
struct StoredShard {
    format: &'static Format,
    cols: usize,
    rows: usize,
    precision: Precision,
    planes: [(usize, usize); PLANES_MAX],
    bytes: Vec<u8>,
}

impl ShardStore {
    /// Executes a command with its body. `output` is empty for commands without one.
    ///
    /// # Errors
    /// Where there is no memory, or the command is not valid.
    pub fn execute(
        &mut self,
        command: ShardCommand,
        body: &[u8],
        output: &mut Vec<f32>,
    ) -> Result<(), CommandError> {
        output.clear();
        match command {
            ShardCommand::Allocate { key, type_id, cols, rows, precision, len_bytes, planes } => {
                let format = Format::by_id(type_id).ok_or(CommandError::Invalid)?;
                let mut bytes = Vec::new();
                bytes.try_reserve_exact(len_bytes as usize).map_err(|_| CommandError::OutOfMemory)?;
                bytes.resize(len_bytes as usize, 0);
                let planes = planes.map(|(offset, stride)| (offset as usize, stride as usize));
                let (cols, rows) = (cols as usize, rows as usize);
                self.shards.insert(key, StoredShard { format, cols, rows, precision, planes, bytes });
            }
            ShardCommand::Write { key, offset_bytes } => {
                let stored = self.shards.get_mut(&key).ok_or(CommandError::Invalid)?;
                let to =
                    stored.bytes.get_mut(offset_bytes as usize..).and_then(|to| to.get_mut(..body.len()));
                to.ok_or(CommandError::Invalid)?.copy_from_slice(body);
            }
            ShardCommand::Multiply { key } => {
                let stored = self.shards.get(&key).ok_or(CommandError::Invalid)?;
                // Bytes need not lie where floats may.
                let copied =
                    |_| body.as_chunks::<4>().0.iter().map(|value| f32::from_le_bytes(*value)).collect();
                let rows: Cow<'_, [f32]> =
                    bytemuck::try_cast_slice(body).map_or_else(|why| Cow::Owned(copied(why)), Cow::Borrowed);
                let (planes, cols) = (stored.planes(), stored.cols);
                let count = rows.len() / cols;
                self.inputs.fill((stored.format, stored.precision), count, cols, |t, out| {
                    out.copy_from_slice(&rows[t * cols..][..cols]);
                });
                output.resize(count * stored.rows, 0.0);
                let most = rows_at_once(&self.inputs);
                for first in (0..stored.rows).step_by(most) {
                    let n = most.min(stored.rows - first);
                    self.products.resize(count * n, 0.0);
                    multiply(
                        &mut self.tile,
                        &self.inputs,
                        stored.format,
                        &planes,
                        first,
                        n,
                        &mut self.products,
                    );
                    for (out, y) in output.chunks_exact_mut(stored.rows).zip(self.products.chunks_exact(n)) {
                        out[first..][..n].copy_from_slice(y);
                    }
                }
            }
            ShardCommand::ReadRow { key, row } => {
                let stored = self.shards.get(&key).ok_or(CommandError::Invalid)?;
                if row as usize >= stored.rows {
                    return Err(CommandError::Invalid);
                }
                output.resize(stored.cols.next_multiple_of(UNIT), 0.0);
                stored.format.unpack(&stored.planes().row(row as usize), output);
                output.truncate(stored.cols);
            }
            ShardCommand::Free { key } => drop(self.shards.remove(&key)),
        }
        Ok(())
    }
}

impl StoredShard {
    fn planes(&self) -> Planes<'_> {
        let mut planes = Planes::default();
        for (i, (offset, stride)) in self.planes.into_iter().enumerate().take(self.format.planes.len()) {
            planes.bytes[i] = &self.bytes[offset..];
            planes.strides_bytes[i] = stride;
        }
        planes
    }
}
