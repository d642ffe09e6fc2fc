//! What products with weights have in common, embeddings and norms included: constants, parts, threads.

use crate::formats::{Format, UNIT};
use crate::plan::{Layout, NormKind, NormUse, VectorId, View, Weight, WeightId, uniform};
use crate::shaders::{Access, Part, wgsl_parts as parts};

uniform! {
    Params p at 0;
    /// Constants of a product, an embedding or a norm. Offsets and strides of `in`, `sum` and `to` count vec4, all others count
    /// values or 4-byte words.
    pub(crate) struct ProductParams {
        plane_base: uvec4,
        plane_stride: uvec4,
        first: u32,
        rows: u32,
        outputs: u32,
        units: u32,
        in_offset: u32,
        in_stride: u32,
        out_offset: u32,
        out_stride: u32,
        cols: u32,
        norm_weight: u32,
        norm_bias: u32,
        bias: u32,
        eps: f32,
        from_outputs: u32,
        scale: f32,
        cap: f32,
        route_offset: u32,
        route_stride: u32,
        sorted_offset: u32,
        used: u32,
        expert_rows: u32,
        parts: u32,
        codebook: u32,
        delta_offset: u32,
        delta_stride: u32,
        by_factor: u32,
        sum_weight: u32,
        sum_eps: f32,
        sum_scale: f32,
        sum_by: u32,
        sum_offset: u32,
        sum_stride: u32,
        to_offset: u32,
        to_stride: u32,
        lanes: u32,
    }
}

/// The uniform of WGSL.
pub(crate) const PRODUCT_PARAMS: Part = Part { path: "kernels/shared/products", text: ProductParams::WGSL };

/// How products use their buffers: weights twice, vectors, inputs, outputs. What comes besides follows.
pub(crate) const PRODUCT_ACCESS: [Access; 5] =
    [Access::Read, Access::Read, Access::Read, Access::Read, Access::Write];

/// Kinds of norms, and whether they have biases.
pub(crate) const NORMS: [(NormKind, bool); 4] =
    [(NormKind::Rms, false), (NormKind::Rms, true), (NormKind::Layer, true), (NormKind::Layer, false)];

/// First value of a vector in the vectors buffer.
pub(crate) fn vector_offset(layout: &Layout, id: VectorId) -> u32 {
    layout.vectors[id.0].offset as u32
}

/// What every kernel that reads a weight begins with: constants, bindings, helpers, and the decode of its format.
pub(crate) fn weight_parts(format: &Format) -> Vec<Part> {
    let decode = Part { path: format.wgsl_path, text: format.wgsl };
    let mut all = vec![parts::STATE, PRODUCT_PARAMS, parts::BYTES, parts::WEIGHTS, parts::UNPACK, decode];
    all.extend(format.is_coded().then_some(parts::CODED));
    all
}

/// The shard's part of a product's constants.
pub(crate) fn shard_params(layout: &Layout, id: WeightId, shard: usize) -> ProductParams {
    let weight = &layout.weights[id.0];
    let s = &weight.shards[shard];
    let mut params = ProductParams {
        first: s.first as u32,
        rows: s.outputs as u32,
        outputs: weight.outputs as u32,
        units: units(weight),
        cols: weight.cols as u32,
        codebook: (s.codebook_offset_bytes / 4) as u32,
        ..Default::default()
    };
    for (i, plane) in s.planes.iter().enumerate() {
        params.plane_base[i] = (plane.offset_bytes / 4) as u32;
        params.plane_stride[i] = (plane.stride_bytes / 4) as u32;
    }
    params
}

fn units(weight: &Weight) -> u32 {
    weight.cols.div_ceil(UNIT) as u32
}

/// Adds a norm's constants.
pub(crate) fn with_norm(layout: &Layout, norm: Option<&NormUse>, params: &mut ProductParams) {
    if let Some(norm) = norm {
        params.norm_weight = layout.vectors[norm.weight.0].offset as u32;
        params.norm_bias = norm.bias.map_or(0, |b| layout.vectors[b.0].offset as u32);
        params.eps = norm.eps;
    }
}

/// The constants of a norm over rows.
pub(crate) fn norm_params(layout: &Layout, norm: &NormUse, input: &View, out: &View) -> ProductParams {
    let mut params = ProductParams {
        cols: input.cols as u32,
        in_offset: input.offset as u32 / 4,
        in_stride: input.stride as u32 / 4,
        out_offset: out.offset as u32,
        out_stride: out.stride as u32,
        scale: 1.0,
        parts: 1,
        ..Default::default()
    };
    with_norm(layout, Some(norm), &mut params);
    params
}

/// Threads that share a row of an expert: no more than it has units.
pub(crate) fn lanes(units: u32) -> u32 {
    units.next_power_of_two().clamp(1, 32)
}

/// What [`lanes`] can be: a row has whole blocks.
pub(crate) fn all_lanes(format: &Format) -> impl Iterator<Item = u32> + use<> {
    let least = lanes(format.block_len.div_ceil(UNIT) as u32);
    [1, 2, 4, 8, 16, 32].into_iter().filter(move |lanes| *lanes >= least)
}

#[cfg(feature = "webgl2")]
pub(crate) use webgl2::*;

#[cfg(feature = "webgl2")]
mod webgl2 {
    use super::{ProductParams, norm_params};
    use crate::formats::UNIT;
    use crate::plan::{Act, Layout, NormKind, NormUse, View, WeightId};
    use crate::shaders::{
        Const, Draws, EACH_TOKEN, Part, Program, Scratch, Target, Texture, glsl_parts as parts, int,
    };

    /// The uniform block of GLSL.
    pub(crate) const PRODUCT_BLOCK: Part =
        Part { path: "kernels/shared/products", text: ProductParams::GLSL };

    /// What every shader that reads a weight begins with.
    pub(crate) fn weight_blocks(layout: &Layout, weight: WeightId) -> Vec<Part> {
        let mut all = vec![PRODUCT_BLOCK, parts::WEIGHTS];
        all.extend(parts::decode(layout.weights[weight.0].format));
        all
    }

    /// Which activation a shader computes.
    pub(crate) fn act_const(act: Option<Act>) -> (&'static str, Const) {
        let number = match act {
            None => 0,
            Some(Act::Silu) => 1,
            Some(Act::Gelu) => 2,
            Some(Act::ReluSquared) => 3,
            Some(Act::BoundedSilu) => 4,
        };
        ("ACT", int(number))
    }

    /// The program of a norm over rows.
    pub(crate) fn norm_program(norm: &NormUse, twin: bool) -> Program {
        let consts = [
            ("LAYER", Const::Bool(norm.kind == NormKind::Layer)),
            ("HAS_NORM_BIAS", Const::Bool(norm.bias.is_some())),
        ];
        let parts = [PRODUCT_BLOCK, parts::NORMS, parts::beside(twin), parts::NORM_ROWS];
        let samplers: &[_] = if twin { &["vectors", "inputs", "old"] } else { &["vectors", "inputs"] };
        Program::new("norm_rows", &consts, &parts, samplers)
    }

    /// Draws the rows of `input` with their norm to scratch, where there is one; returns where and what a product reads.
    pub(crate) fn normed(to: &mut Draws, input: View, norm: Option<&NormUse>) -> (View, Texture) {
        let Some(norm) = norm else { return (input, Texture::Buffer(input.buffer)) };
        let out = View { offset: 0, stride: input.cols.next_multiple_of(UNIT), ..input };
        let params = norm_params(to.layout, norm, &input, &out).bytes();
        let scratch = Texture::Scratch(Scratch::Normed);
        let target = Target { texture: scratch, ..Target::rows(&out, EACH_TOKEN) };
        to.push(
            norm_program(norm, false),
            params,
            &[Texture::Vectors, Texture::Buffer(input.buffer)],
            target,
        );
        (out, scratch)
    }
}
