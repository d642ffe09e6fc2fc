//! Rows of a table.

use super::EmbedRows;
use crate::formats::UNIT;
use crate::kernels::shared::{Cpu, decode_row};
use crate::plan::Index;

/// out[t] (+)= scale * table[index(t)]. Ids have been checked against the table by the caller.
pub fn embed_rows(s: &mut Cpu, step: &EmbedRows) {
    let weight = &s.layout.weights[step.table.0];
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    let row = &mut s.scratch.rows;
    row.resize(weight.cols.next_multiple_of(UNIT), 0.0);
    for t in 0..s.state.tokens as usize {
        let index = match step.index {
            Index::Id => s.tokens[t].id as usize,
            Index::Position => s.tokens[t].position as usize,
            Index::Zero => 0,
        };
        let holds = |(_, shard): &(usize, &crate::plan::Shard)| {
            (shard.first..shard.first + shard.outputs).contains(&index)
        };
        let Some((i, shard)) = weight.shards.iter().enumerate().find(holds) else { continue };
        match (&mut s.remote, shard.thread) {
            (Some(remote), 1..) => {
                remote.read_row((step.table, i), index - shard.first, &mut row[..weight.cols])
            }
            _ => decode_row(weight.format, shard, &s.weights[step.table.0][i], index - shard.first, row),
        }
        let out = &mut out[step.out.offset + t * step.out.stride..][..weight.cols];
        for (out, v) in out.iter_mut().zip(row.iter()) {
            *out = if step.add { *out + step.scale * v } else { step.scale * v };
        }
    }
    s.buffers[step.out.buffer.0] = out;
}
