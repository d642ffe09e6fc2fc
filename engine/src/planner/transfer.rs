//! What to read from the file: transfers of whole rows, each no larger than a transfer buffer, in ascending order, so that
//! a file can be loaded while it streams in.

use std::collections::HashMap;

use super::error::PlanError;
use crate::formats::Format;
use crate::gguf::Header;
use crate::plan::{Vector, VectorId, VectorPlace, Weight, WeightId};

/// Size of a transfer buffer.
pub const TRANSFER_BYTES_MAX: usize = 1 << 20;

/// A contiguous range of the file and where it goes.
#[derive(Debug, Clone)]
pub struct Transfer {
    /// Which file of a split model, from 0.
    pub file: usize,
    /// Offset in the file.
    pub offset_bytes: u64,
    /// At most [`TRANSFER_BYTES_MAX`].
    pub len_bytes: usize,
    /// Where its values go.
    pub target: Destination,
}

/// Where a transfer goes.
#[derive(Debug, Clone, Copy)]
pub enum Destination {
    /// Rows of a shard.
    Rows {
        /// Which weight.
        weight: WeightId,
        /// Which shard of it.
        shard: usize,
        /// First row in the shard.
        row: usize,
    },
    /// Values of a vector.
    Vector {
        /// Which vector.
        vector: VectorId,
        /// Part of it.
        part: usize,
        /// First value in the vectors buffer.
        offset: usize,
    },
    /// Factors of the matrices in a part of a shard.
    Scales {
        /// Which weight.
        weight: WeightId,
        /// Which shard of it.
        shard: usize,
        /// Which part of that.
        part: usize,
    },
    /// Divisors of the first rotation's angles.
    RopeDivisors {
        /// How they are stored.
        format: &'static Format,
    },
}

/// All transfers of the weights from `first` on, and of the vectors.
///
/// # Errors
/// `RowTooLong` for a row or a vector that exceeds a transfer buffer.
pub fn transfers(
    header: &Header,
    weights: &[Weight],
    first: usize,
    vectors: &[VectorPlace],
    divisors: Option<&Vector>,
) -> Result<Vec<Transfer>, PlanError> {
    let places: HashMap<&str, (usize, u64)> =
        header.tensors.iter().map(|t| (t.name.as_str(), (t.file, t.offset_bytes))).collect();
    let place_of = |name: &str| places.get(name).copied().unwrap_or((0, 0));
    let mut transfers = Vec::new();
    for (w, weight) in weights.iter().enumerate().skip(first) {
        let row_bytes = weight.cols / weight.format.block_len * weight.format.block_bytes;
        let rows_max = TRANSFER_BYTES_MAX / row_bytes;
        for (s, shard) in weight.shards.iter().enumerate() {
            for (p, part) in shard.parts.iter().enumerate() {
                if let Some((scale, _)) = &part.scale {
                    let target = Destination::Scales { weight: WeightId(w), shard: s, part: p };
                    transfers.push(vector_transfer(scale, place_of(&scale.tensor), target)?);
                }
                if rows_max == 0 {
                    let (tensor, max_bytes) = (part.tensor.clone(), TRANSFER_BYTES_MAX);
                    return Err(PlanError::RowTooLong { tensor, row_bytes, max_bytes });
                }
                let (file, offset_bytes) = place_of(&part.tensor);
                for at in (0..part.rows).step_by(rows_max) {
                    let rows = rows_max.min(part.rows - at);
                    let skipped = (part.tensor_row + at) as u64;
                    transfers.push(Transfer {
                        file,
                        offset_bytes: offset_bytes + skipped * row_bytes as u64,
                        len_bytes: rows * row_bytes,
                        target: Destination::Rows { weight: WeightId(w), shard: s, row: part.shard_row + at },
                    });
                }
            }
        }
    }
    for (v, place) in vectors.iter().enumerate() {
        for (p, (offset, part)) in place.parts.iter().enumerate() {
            let target = Destination::Vector { vector: VectorId(v), part: p, offset: *offset };
            transfers.push(vector_transfer(part, place_of(&part.tensor), target)?);
        }
    }
    if let Some(v) = divisors {
        transfers.push(vector_transfer(
            v,
            place_of(&v.tensor),
            Destination::RopeDivisors { format: v.format },
        )?);
    }
    transfers.sort_by_key(|p| (p.file, p.offset_bytes));
    Ok(transfers)
}

fn vector_transfer(
    v: &Vector,
    (file, offset_bytes): (usize, u64),
    target: Destination,
) -> Result<Transfer, PlanError> {
    let len_bytes = v.len / v.format.block_len * v.format.block_bytes;
    if len_bytes > TRANSFER_BYTES_MAX {
        let (tensor, max_bytes) = (v.tensor.clone(), TRANSFER_BYTES_MAX);
        return Err(PlanError::RowTooLong { tensor, row_bytes: len_bytes, max_bytes });
    }
    Ok(Transfer { file, offset_bytes, len_bytes, target })
}
