//! Loading: the file's pieces in ascending order, each split into planes and uploaded. No weight stays here.

use std::rc::Rc;

use super::error::Error;
use super::model::Model;
use crate::backend::{Device, Executor};
use crate::formats::Format;
use crate::gguf::Header;
use crate::models;
use crate::plan::{self, CacheFormat, Piece, Plan, Target, WeightId};

/// Choices at load time.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Positions to reserve; [`CONTEXT_TOKENS_DEFAULT`] or the model's own limit, whichever is less, where absent.
    pub context_tokens: Option<usize>,
    /// Most tokens in a prefill slice.
    pub slice_tokens: Option<usize>,
    /// How keys and values are stored.
    pub cache: CacheFormat,
}

/// Context where the caller names none: a KV cache that fits beside a small model on most devices.
pub const CONTEXT_TOKENS_DEFAULT: usize = 2048;

/// Prefill slice where the caller names none.
const SLICE_TOKENS_DEFAULT: usize = 128;

/// Rows of logits that one slice can give.
const LOGITS_ROWS: usize = 8;

/// A model on its way to the device.
pub struct Loading {
    plan: Rc<Plan>,
    executor: Executor,
    next: usize,
    planes: Vec<Vec<u8>>,
    divisors: Option<Vec<f32>>,
    /// Scales of rows: weight, shard, first row, values. They go on top of the rows, whichever comes first in the file.
    scales: Vec<(WeightId, usize, usize, Vec<u8>)>,
    device: Device,
}

impl Loading {
    /// Reads the model from the header, lays it out for the device and allocates everything.
    pub async fn start(header: &Header, device: &Device, options: &LoadOptions) -> Result<Loading, Error> {
        let spec = models::read(header)?;
        let options = plan::Options {
            context_tokens: options.context_tokens.unwrap_or(CONTEXT_TOKENS_DEFAULT),
            slice_tokens: options.slice_tokens.unwrap_or(SLICE_TOKENS_DEFAULT),
            logits_rows: LOGITS_ROWS,
            cache: options.cache,
        };
        let plan = Rc::new(plan::build(spec, header, options, &device.limits())?);
        let executor = device.executor(Rc::clone(&plan))?;
        Ok(Loading {
            plan,
            executor,
            next: 0,
            planes: Vec::new(),
            divisors: None,
            scales: Vec::new(),
            device: device.clone(),
        })
    }

    /// Bytes of the file that will be read.
    pub fn total_bytes(&self) -> u64 {
        self.plan.pieces.iter().map(|p| p.len_bytes as u64).sum()
    }

    /// The piece wanted next: at most [`plan::PIECE_BYTES_MAX`] long, behind all earlier ones.
    pub fn next(&self) -> Option<&Piece> {
        self.plan.pieces.get(self.next)
    }

    /// Takes exactly the bytes of [`Self::next`], splits them into planes and uploads those.
    pub fn accept(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let plan = Rc::clone(&self.plan);
        let want_bytes = plan.pieces.get(self.next).map_or(0, |p| p.len_bytes);
        if want_bytes != bytes.len() || want_bytes == 0 {
            return Err(Error::WrongPiece { len_bytes: bytes.len(), want_bytes });
        }
        match plan.pieces[self.next].target {
            Target::Rows { weight, shard, row } => {
                let w = &plan.weights[weight.0];
                self.planes.resize_with(w.format.planes.len(), Vec::new);
                w.format.split_rows(bytes, w.cols, &mut self.planes);
                self.executor.upload_rows(weight, shard, row, &self.planes);
            }
            Target::Vector { vector, part, offset } => {
                let format = plan.vectors[vector.0].parts[part].1.format;
                let values = decode(format, bytes);
                self.executor.upload_vector(offset, &values);
            }
            Target::RopeDivisors { format } => self.divisors = Some(decode(format, bytes)),
            Target::Scales { weight, shard, part } => {
                let part = &plan.weights[weight.0].shards[shard].parts[part];
                if let Some((scale, rows_each)) = &part.scale {
                    let values = decode(scale.format, bytes);
                    let rows = part.tensor_row..part.tensor_row + part.rows;
                    let of_rows = rows.flat_map(|row| values[row / rows_each].to_le_bytes()).collect();
                    self.scales.push((weight, shard, part.shard_row, of_rows));
                }
            }
        }
        self.next += 1;
        Ok(())
    }

    /// Waits for uploads in flight. Call it every few pieces.
    pub async fn settle(&mut self) -> Result<(), Error> {
        Ok(self.executor.settle().await?)
    }

    /// The model, once all pieces are in and all kernels are compiled.
    pub async fn finish(mut self) -> Result<Model, Error> {
        if let Some(piece) = self.next() {
            return Err(Error::WrongPiece { len_bytes: 0, want_bytes: piece.len_bytes });
        }
        for (weight, shard, row, of_rows) in &self.scales {
            if let Some(plane) = self.plan.weights[weight.0].format.tensor_scale_plane() {
                self.executor.upload_plane(*weight, *shard, *row, plane, of_rows);
            }
        }
        for (i, rope) in self.plan.spec.ropes.iter().enumerate() {
            let divisors = if i == 0 { self.divisors.as_deref() } else { None };
            let table = rope.table(self.plan.options.context_tokens, divisors);
            self.executor.upload_values(self.plan.ropes[i], &table);
        }
        self.executor.settle().await?;
        self.executor.ready().await?;
        Ok(Model::new(self.plan, self.executor, self.device))
    }
}

fn decode(format: &Format, bytes: &[u8]) -> Vec<f32> {
    let mut values = vec![0.0; bytes.len() / format.block_bytes * format.block_len];
    for (block, out) in bytes.chunks_exact(format.block_bytes).zip(values.chunks_exact_mut(format.block_len))
    {
        (format.decode)(block, out);
    }
    values
}
