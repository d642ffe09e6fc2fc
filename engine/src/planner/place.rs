//! Tensors that share an input are joined by rows, what exceeds a binding is split by rows.

use super::error::PlanError;
use crate::plan::{Limits, Matrix, Part, PlanePlace, Runs, Shard, Weight};

/// Joins matrices of one format and input by rows, and splits the result where it exceeds a binding. With `gated` the
/// outputs are the rows of one half, and every shard holds the same rows of both halves. A large matrix has a shard for each
/// thread, or several.
///
/// # Errors
/// `TooLarge` where one row (with `gated` one of each half; four on WebGL2) exceeds a binding.
pub fn place(matrices: &[&Matrix], gated: bool, limits: &Limits) -> Result<Weight, PlanError> {
    let (format, cols) = (matrices[0].format, matrices[0].cols);
    let rows: usize = matrices.iter().map(|m| m.rows).sum();
    let rows_per_output = if gated { 2 } else { 1 };
    let outputs = rows / rows_per_output;
    let stride: usize = (0..format.planes.len()).map(|p| format.plane_stride_bytes(p, cols)).sum();
    let room = limits.binding_bytes.min(limits.buffer_bytes) as usize;
    let codebook_bytes = size_of_val(format.codebook).next_multiple_of(16);
    let room = room.saturating_sub(16 * format.planes.len() + codebook_bytes);
    let most = room / (stride * rows_per_output);
    // Less than all of them are whole fours.
    let most = if limits.in_fours && most < outputs { most / 4 * 4 } else { most };
    if most == 0 {
        return Err(PlanError::TooLarge {
            what: matrices[0].tensor.clone(),
            need_bytes: (stride * rows_per_output) as u64,
            have_bytes: room as u64,
        });
    }
    let is_large = outputs * rows_per_output * stride >= limits.threads.bytes_min;
    let threads = if is_large { limits.threads.count } else { 1 };
    let count = outputs.div_ceil(most).next_multiple_of(threads);
    let each = outputs.div_ceil(count);
    let each = if limits.in_fours { each.next_multiple_of(4) } else { each };
    let shards = (0..outputs.div_ceil(each)).map(|i| {
        let first = i * each;
        let n = each.min(outputs - first);
        let mut parts = Vec::new();
        for half in 0..rows_per_output {
            take_rows(matrices, half * outputs + first, n, &mut parts);
        }
        let mut planes = Vec::new();
        let mut bytes = 0usize;
        for p in 0..format.planes.len() {
            let stride_bytes = format.plane_stride_bytes(p, cols);
            planes.push(PlanePlace { offset_bytes: bytes, stride_bytes });
            bytes = (bytes + stride_bytes * n * rows_per_output).next_multiple_of(16);
        }
        let codebook_offset_bytes = bytes;
        Shard {
            first,
            outputs: n,
            parts,
            planes,
            codebook_offset_bytes,
            bytes: bytes + codebook_bytes,
            thread: i % threads,
        }
    });
    Ok(Weight { format, cols, outputs, rows_per_output, shards: shards.collect() })
}

/// Appends rows `first..first + n` of the joined matrices.
fn take_rows(matrices: &[&Matrix], first: usize, n: usize, parts: &mut Vec<Part>) {
    let mut start = 0;
    for m in matrices {
        let (from, to) = (first.max(start), (first + n).min(start + m.rows));
        if from < to {
            let scale = m.scale.as_ref().map(|s| (s.clone(), m.rows / s.len));
            for (tensor_row, rows) in tensor_rows(m, from - start, to - start) {
                let shard_row = parts.last().map_or(0, |p: &Part| p.shard_row + p.rows);
                let (tensor, scale) = (m.tensor.clone(), scale.clone());
                parts.push(Part { tensor, tensor_row, rows, shard_row, scale });
            }
        }
        start += m.rows;
    }
}

/// Where rows `from..to` of a matrix lie in its tensor: first rows and how many follow.
fn tensor_rows(m: &Matrix, from: usize, to: usize) -> Vec<(usize, usize)> {
    let Some(Runs { first, len, step }) = m.runs else { return vec![(from, to - from)] };
    let runs = (from / len..to.div_ceil(len)).map(|run| {
        let (from, to) = (from.max(run * len), to.min((run + 1) * len));
        (first + run * step + from - run * len, to - from)
    });
    runs.collect()
}
