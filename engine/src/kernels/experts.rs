//! Dispatches of mixtures of experts.

use super::link::{Access, Variant};
use super::params::{ProductParams, RouteParams};
use super::parts;
use super::products::{
    NORMS, all_lanes, finish_parts, lanes, prologue, shard_params, weight_parts, with_norm,
};
use super::step::{ExpertsDown, ExpertsUp, Route};
use super::table::{Bound, Count, Dispatch, EACH_TOKEN, Grid, ONE, WG, bindings, consts, vector_offset};
use crate::formats::{FORMATS, Format};
use crate::plan::{Act, Finish, Layout, NormKind, View};

/// Every variant that a model of these formats can ask for.
pub fn variants() -> Vec<Variant> {
    let routes = [(false, false), (false, true), (true, false), (true, true)];
    let mut all: Vec<_> = routes.iter().map(|&(sigmoid, biased)| route_variant(sigmoid, biased)).collect();
    for format in FORMATS {
        for lanes in all_lanes(format) {
            all.extend([false, true].map(|bias| down_variant(format, bias, lanes)));
            for norm in [None].into_iter().chain(NORMS.map(Some)) {
                let acts = [(Act::Silu, false), (Act::Gelu, false), (Act::BoundedSilu, true)];
                all.extend(acts.map(|(act, bias)| up_variant(format, act, norm, bias, lanes)));
            }
        }
    }
    all
}

fn route_variant(sigmoid: bool, biased: bool) -> Variant {
    Variant {
        kernel: "route",
        consts: consts([("SIGMOID", sigmoid.to_string()), ("BIASED", biased.to_string())]),
        parts: vec![parts::COMMON, parts::ROUTE],
        bindings: bindings(&[Access::Read, Access::Read, Access::Write]),
    }
}

pub fn route(layout: &Layout, s: &Route) -> Dispatch {
    let params = RouteParams {
        in_offset: s.logits.offset as u32,
        in_stride: s.logits.stride as u32,
        out_offset: s.out.offset as u32,
        out_stride: s.out.stride as u32,
        experts: s.experts as u32,
        used: s.used as u32,
        normalise: u32::from(s.normalise),
        scale: s.scale,
        bias: s.bias.map_or(0, |b| vector_offset(layout, b)),
        pad: [0; 3],
    };
    Dispatch {
        variant: route_variant(s.sigmoid, s.bias.is_some()),
        params: bytemuck::bytes_of(&params).to_vec(),
        bound: vec![Bound::Vectors, Bound::Buffer(s.logits.buffer), Bound::Buffer(s.out.buffer)],
        grid: Grid { x: Count::Tokens { times: 1, per: WG }, y: ONE },
    }
}

const ACCESS: [Access; 6] =
    [Access::Read, Access::Read, Access::Read, Access::Read, Access::Write, Access::Read];

fn up_variant(
    format: &'static Format,
    act: Act,
    norm: Option<(NormKind, bool)>,
    bias: bool,
    lanes: u32,
) -> Variant {
    let (act, ..) = finish_parts(Finish::Act(act));
    Variant {
        kernel: "experts_up",
        consts: consts([
            ("LANES", format!("{lanes}u")),
            ("HAS_BIAS", bias.to_string()),
            ("HAS_NORM_BIAS", norm.is_some_and(|n| n.1).to_string()),
        ]),
        parts: [
            &weight_parts(format)[..],
            &[parts::PRODUCT, parts::STATISTICS, prologue(norm), act, parts::ROUTES, parts::EXPERTS_UP],
        ]
        .concat(),
        bindings: bindings(&ACCESS),
    }
}

fn down_variant(format: &'static Format, bias: bool, lanes: u32) -> Variant {
    Variant {
        kernel: "experts_down",
        consts: consts([("LANES", format!("{lanes}u")), ("HAS_BIAS", bias.to_string())]),
        parts: [&weight_parts(format)[..], &[parts::PRODUCT, parts::ROUTES, parts::EXPERTS_DOWN]].concat(),
        bindings: bindings(&ACCESS),
    }
}

/// What both products add to a shard's constants.
fn placed(shard: ProductParams, input: &View, out: &View, route: &View, used: usize) -> ProductParams {
    ProductParams {
        in_offset: input.offset as u32 / 4,
        in_stride: input.stride as u32 / 4,
        out_offset: out.offset as u32,
        out_stride: out.stride as u32,
        route_offset: route.offset as u32,
        route_stride: route.stride as u32,
        used: used as u32,
        ..shard
    }
}

pub fn up(layout: &Layout, s: &ExpertsUp, out: &mut Vec<Dispatch>) {
    let weight = &layout.weights[s.weight.0];
    for shard in 0..weight.shards.len() {
        let mut params = placed(shard_params(layout, s.weight, shard), &s.input, &s.out, &s.route, s.used);
        params.expert_rows = s.inner as u32;
        params.bias = s.bias.map_or(0, |b| vector_offset(layout, b));
        with_norm(layout, s.norm.as_ref(), &mut params);
        let lanes = lanes(params.units);
        let weights = Bound::Shard(s.weight, shard);
        out.push(Dispatch {
            variant: up_variant(
                weight.format,
                s.act,
                s.norm.map(|n| (n.kind, n.bias.is_some())),
                s.bias.is_some(),
                lanes,
            ),
            params: bytemuck::bytes_of(&params).to_vec(),
            bound: vec![
                weights,
                weights,
                Bound::Vectors,
                Bound::Buffer(s.input.buffer),
                Bound::Buffer(s.out.buffer),
                Bound::Buffer(s.route.buffer),
            ],
            grid: Grid {
                x: Count::Fixed(params.expert_rows.div_ceil(WG / lanes)),
                y: Count::Tokens { times: params.used, per: 1 },
            },
        });
    }
}

pub fn down(layout: &Layout, s: &ExpertsDown, out: &mut Vec<Dispatch>) {
    let weight = &layout.weights[s.weight.0];
    for shard in 0..weight.shards.len() {
        let mut params = placed(shard_params(layout, s.weight, shard), &s.input, &s.out, &s.route, s.used);
        params.expert_rows = s.out.cols as u32;
        params.scale = s.scale;
        params.bias = s.bias.map_or(0, |b| vector_offset(layout, b));
        let lanes = lanes(params.units);
        let weights = Bound::Shard(s.weight, shard);
        out.push(Dispatch {
            variant: down_variant(weight.format, s.bias.is_some(), lanes),
            params: bytemuck::bytes_of(&params).to_vec(),
            bound: vec![
                weights,
                weights,
                Bound::Vectors,
                Bound::Buffer(s.input.buffer),
                Bound::Buffer(s.out.buffer),
                Bound::Buffer(s.route.buffer),
            ],
            grid: Grid { x: Count::Fixed(params.expert_rows.div_ceil(WG / lanes)), y: EACH_TOKEN },
        });
    }
}
