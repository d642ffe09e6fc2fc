//! Rows of inputs as codes of 8 bits, for products of integers.

use super::products::{PRODUCT_PARAMS, ProductParams};
use crate::plan::BufferId;
use crate::shaders::{
    Access, Bound, Count, Dispatch, Dispatches, Grid, Variant, WG, bindings, consts, wgsl_parts as parts,
};

const KERNEL: &str = "encode";
/// What two units take: 16 codes each, and for each a factor and a sum.
const PAIR_VEC4: u32 = 3;
const VEC4_BYTES: u64 = 16;
/// Where a product's outputs stand in [`super::PRODUCT_ACCESS`].
const OUTPUT: usize = 4;

pub(crate) fn encode_variant() -> Variant {
    Variant {
        kernel: KERNEL,
        consts: consts([]),
        parts: vec![parts::STATE, PRODUCT_PARAMS, parts::ENCODE],
        bindings: bindings(&[Access::Read, Access::Write]),
    }
}

/// Encodes the input of a product with these constants, of which it has so many rows for each token, unless that was done for the
/// product before. Where the codes are, and the constants with which they are read.
pub(crate) fn encoded(
    to: &mut Dispatches,
    input: BufferId,
    params: ProductParams,
    rows_per_token: u32,
) -> (Bound, ProductParams) {
    let ProductParams { units, in_offset, in_stride, from_outputs, .. } = params;
    let stride = units / 2 * PAIR_VEC4;
    let rows = to.layout.options.slice_tokens as u64 * u64::from(rows_per_token);
    let codes = Bound::Scratch(rows * u64::from(stride) * VEC4_BYTES);
    let own = ProductParams { units, in_offset, in_stride, from_outputs, ..Default::default() };
    let grid = Grid {
        x: Count::Fixed((units / 2).div_ceil(WG)),
        y: Count::Tokens { times: rows_per_token, per: 1 },
    };
    let bound = [Bound::Buffer(input), codes];
    let made = Dispatch::new(encode_variant(), own.bytes(), &bound, grid);
    let leaves_it = |d: &Dispatch| d.bound.contains(&codes) && d.bound[OUTPUT] != Bound::Buffer(input);
    let last = to.list.iter().rposition(|d| d.variant.kernel == KERNEL);
    if !last.is_some_and(|at| to.list[at] == made && to.list[at + 1..].iter().all(leaves_it)) {
        to.list.push(made);
    }
    (codes, ProductParams { in_offset: 0, in_stride: stride, ..params })
}
