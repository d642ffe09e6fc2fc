//! What the products of chosen experts have in common.

use std::ops::Range;

use super::cpu::{Choice, Cpu};
use super::products::{ProductParams, shard_params};
use crate::plan::{Layout, Shard, View, WeightId};
use crate::shaders::Access;

/// How both products use their buffers: weights twice, vectors, inputs, outputs, routes.
pub(crate) const EXPERT_ACCESS: [Access; 6] =
    [Access::Read, Access::Read, Access::Read, Access::Read, Access::Write, Access::Read];

/// The constants of both products for a shard.
pub(crate) fn expert_params(
    layout: &Layout,
    (weight, shard): (WeightId, usize),
    input: &View,
    out: &View,
    route: &View,
    used: usize,
) -> ProductParams {
    ProductParams {
        in_offset: input.offset as u32 / 4,
        in_stride: input.stride as u32 / 4,
        out_offset: out.offset as u32,
        out_stride: out.stride as u32,
        route_offset: route.offset as u32,
        route_stride: route.stride as u32,
        used: used as u32,
        ..shard_params(layout, weight, shard)
    }
}

/// Which experts the slice's tokens use, expert by expert.
pub(crate) fn chosen_experts(s: &Cpu, route: &View, used: usize, choices: &mut Vec<Choice>) {
    choices.clear();
    for token in 0..s.state.tokens as usize {
        choices.extend((0..used).map(|slot| {
            let at = route.offset + token * route.stride + 2 * slot;
            Choice { expert: s.buffers[route.buffer.0][at].to_bits() as usize, token, slot }
        }));
    }
    choices.sort_unstable();
}

/// The weight of a token's expert.
pub(crate) fn share(s: &Cpu, route: &View, token: usize, slot: usize) -> f32 {
    s.buffers[route.buffer.0][route.offset + token * route.stride + 2 * slot + 1]
}

/// Rows of a shard.
pub(crate) struct ShardRows<'a> {
    pub shard: &'a Shard,
    pub index: usize,
    pub row: usize,
    pub count: usize,
}

/// The rows of outputs `range`, at most `most` at a time.
pub(crate) fn shard_rows<'a>(
    s: &Cpu<'a>,
    id: WeightId,
    range: Range<usize>,
    most: usize,
) -> impl Iterator<Item = ShardRows<'a>> {
    s.layout.weights[id.0].shards.iter().enumerate().flat_map(move |(index, shard)| {
        let first = range.start.max(shard.first) - shard.first;
        let end = range.end.min(shard.first + shard.outputs).saturating_sub(shard.first);
        let row = move |row| ShardRows { shard, index, row, count: most.min(end - row) };
        (first..end).step_by(most).map(row)
    })
}
