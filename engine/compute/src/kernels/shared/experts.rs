//! What the products of chosen experts have in common.

use std::ops::Range;

use super::cpu::{Choice, Cpu};
use super::encode::encoded;
use super::matmul::{Matmul, tile_for, tile_rows};
use super::products::{ProductParams, shard_params};
use crate::formats::{FORMATS, Format};
use crate::plan::{BufferId, Epilogue, Layout, Shard, View, WeightId};
use crate::shaders::{Access, Bound, Count, Dispatches, Grid, Tile, Variant};

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
        parts: 1,
        ..shard_params(layout, weight, shard)
    }
}

/// Tokens that an expert has on average where experts are multiplied with all of theirs at once.
const SORTED_MIN: usize = 8;

/// Limits the dispatches from `unsorted` on to slices of few tokens, and those from `sorted` on to slices of more.
pub(crate) fn limit_sorted(
    to: &mut Dispatches,
    (unsorted, sorted): (usize, usize),
    (experts, used): (usize, usize),
) {
    let least = (SORTED_MIN * experts).div_ceil(used) as u32;
    to.limit(unsorted, &(0..least));
    to.limit(sorted, &(least..u32::MAX));
}

/// The tile of products of sorted experts: where slices are small, most have few tokens.
fn sorted_tile(to: &Dispatches, format: &Format, experts: u32, used: u32) -> Tile {
    let tile = tile_for(format, to);
    let each = to.layout.options.slice_tokens * used as usize / experts as usize;
    let small = Tile { cols: 4, units: tile.units.min(2), ..tile };
    if each < tile.tokens() as usize { small } else { tile }
}

/// The product of each expert with all its tokens.
pub(crate) struct SortedProduct {
    pub kernel: &'static str,
    pub weight: WeightId,
    pub epilogue: Epilogue,
    pub bias: bool,
    pub input: BufferId,
    pub out: BufferId,
    pub route: BufferId,
    /// Of [`crate::kernels::ExpertsSort`].
    pub sorted: View,
}

impl SortedProduct {
    /// Every shader of such a product.
    pub fn variants(kernel: &'static str, epilogue: Epilogue, bias: bool) -> Vec<Variant> {
        let of = |format| {
            Matmul::tiles(format).map(move |tile| sorted_variant(kernel, format, epilogue, bias, tile))
        };
        FORMATS.iter().copied().flat_map(of).collect()
    }

    /// Adds its dispatch for a shard. `params`: those of the kernel for few tokens.
    pub fn dispatch(&self, to: &mut Dispatches, shard: usize, params: ProductParams) {
        let experts = params.outputs / params.expert_rows;
        let format = to.layout.weights[self.weight.0].format;
        let tile = sorted_tile(to, format, experts, params.used);
        let params = ProductParams { sorted_offset: self.sorted.offset as u32, ..params };
        let weights = Bound::Shard(self.weight, shard);
        let (input, params) = if tile.packed {
            encoded(to, self.input, params, params.used / params.parts)
        } else {
            (Bound::Buffer(self.input), params)
        };
        let buffers = [self.out, self.route, self.sorted.buffer].map(Bound::Buffer);
        let bound = [&[weights, weights, Bound::Vectors, input], &buffers[..]].concat();
        let grid = Grid {
            x: Count::Fixed(params.expert_rows.div_ceil(tile_rows(self.epilogue))),
            y: Count::Tiles { times: params.used, per: tile.tokens(), groups: experts },
        };
        let variant = sorted_variant(self.kernel, format, self.epilogue, self.bias, tile);
        to.push(variant, params.bytes(), &bound, grid);
    }
}

fn sorted_variant(
    kernel: &'static str,
    format: &'static Format,
    epilogue: Epilogue,
    bias: bool,
    tile: Tile,
) -> Variant {
    Matmul { kernel, format, epilogue, bias, delta: false, sorted: true, tile }.variant()
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
