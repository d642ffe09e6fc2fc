//! Transfers of a file on their way to the device: each is split into planes and uploaded. No weight stays here.

use std::rc::Rc;

use super::error::Error;
use crate::backend::Executor;
use crate::formats::Format;
use crate::plan::WeightId;
use crate::planner::{Destination, Plan, Transfer};

/// How far the transfers of a plan have come.
pub struct Upload {
    plan: Rc<Plan>,
    next: usize,
    planes: Vec<Vec<u8>>,
    divisors: Option<Vec<f32>>,
    /// Scales of rows: weight, shard, first row, values. They go on top of the rows, whichever comes first in the file.
    scales: Vec<(WeightId, usize, usize, Vec<u8>)>,
}

impl Upload {
    pub fn new(plan: Rc<Plan>) -> Self {
        Upload { plan, next: 0, planes: Vec::new(), divisors: None, scales: Vec::new() }
    }

    /// Bytes of all transfers.
    pub fn total_bytes(&self) -> u64 {
        self.plan.transfers.iter().map(|p| p.len_bytes as u64).sum()
    }

    /// The transfer wanted next.
    pub fn next(&self) -> Option<&Transfer> {
        self.plan.transfers.get(self.next)
    }

    /// Takes exactly the bytes of [`Self::next`].
    ///
    /// # Errors
    /// `WrongTransfer` for another number of bytes, or after the last transfer.
    pub fn accept(&mut self, executor: &mut Executor, bytes: &[u8]) -> Result<(), Error> {
        let plan = Rc::clone(&self.plan);
        let want_bytes = plan.transfers.get(self.next).map_or(0, |p| p.len_bytes);
        if want_bytes != bytes.len() || want_bytes == 0 {
            return Err(Error::WrongTransfer { len_bytes: bytes.len(), want_bytes });
        }
        match plan.transfers[self.next].target {
            Destination::Rows { weight, shard, row } => {
                let w = &plan.layout.weights[weight.0];
                self.planes.resize_with(w.format.planes.len(), Vec::new);
                w.format.split_rows(bytes, w.cols, &mut self.planes);
                executor.upload_rows(weight, shard, row, &self.planes[..w.format.planes.len()]);
            }
            Destination::Vector { vector, part, offset } => {
                let format = plan.layout.vectors[vector.0].parts[part].1.format;
                let values = decode(format, bytes);
                executor.upload_vector(offset, &values);
            }
            Destination::RopeDivisors { format } => self.divisors = Some(decode(format, bytes)),
            Destination::Scales { weight, shard, part } => {
                let part = &plan.layout.weights[weight.0].shards[shard].parts[part];
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

    /// What could only be done once all transfers are in.
    ///
    /// # Errors
    /// `WrongTransfer` where transfers are missing; `Device` where a kernel does not compile, memory has run out or the device
    /// is lost.
    pub async fn finish(&mut self, executor: &mut Executor) -> Result<(), Error> {
        if let Some(transfer) = self.next() {
            return Err(Error::WrongTransfer { len_bytes: 0, want_bytes: transfer.len_bytes });
        }
        for (weight, shard, row, of_rows) in &self.scales {
            if let Some(plane) = self.plan.layout.weights[weight.0].format.tensor_scale_plane() {
                executor.upload_plane(*weight, *shard, *row, plane, of_rows);
            }
        }
        // The tables of a model; an adapter finds them made.
        if self.plan.loras.is_empty() {
            for (i, rope) in self.plan.spec.ropes.iter().enumerate() {
                let divisors = if i == 0 { self.divisors.as_deref() } else { None };
                let table = rope.table(self.plan.layout.options.context_tokens, divisors);
                executor.upload_values(self.plan.layout.ropes[i], 0, &table);
            }
        }
        executor.settle().await?;
        executor.ready().await?;
        Ok(())
    }
}

fn decode(format: &Format, bytes: &[u8]) -> Vec<f32> {
    let mut values = vec![0.0; bytes.len() / format.block_bytes * format.block_len];
    for (block, out) in bytes.chunks_exact(format.block_bytes).zip(values.chunks_exact_mut(format.block_len))
    {
        format.decode(block, out);
    }
    values
}
