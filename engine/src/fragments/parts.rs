//! The .glsl files, and the decodes that the build has translated.

use crate::formats::Format;

/// A file of GLSL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    /// Path below `engine/src`, for messages.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Path of a format's WGSL, and its functions in GLSL.
const DECODES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/decodes.rs"));

/// A format's `decode16`.
pub fn decode(format: &Format) -> Option<Part> {
    let (path, text) = DECODES.iter().find(|(path, _)| *path == format.wgsl_path)?;
    Some(Part { path, text })
}

macro_rules! parts {
    ($($name:ident $path:literal)*) => {
        $(pub const $name: Part = Part { path: concat!("fragments/", $path), text: crate::bare!("fragments/", $path) };)*
    };
}

parts! {
    COMMON "access/common.glsl"
    VERTEX "access/vertex.glsl"
    VERTEX_CELLS "access/vertex_cells.glsl"
    DISCARD "access/discard.glsl"
    TWIN "access/twin.glsl"
    PRODUCT_PARAMS "access/product_params.glsl"
    WEIGHTS "access/weights.glsl"
    OUTPUT_ROWS "access/output_rows.glsl"
    PRODUCT "access/product.glsl"
    GATHERED "access/sums.glsl"
    ACTS "access/acts.glsl"
    NORMS "access/norms.glsl"
    TOKENS "access/tokens.glsl"
    ROUTES "access/routes.glsl"
    DELTA "access/delta.glsl"
    NO_DELTA "access/no_delta.glsl"
    ROPE "access/rope.glsl"
    CELLS "access/cells.glsl"
    ATTENTION "access/attention.glsl"
    CONVOLUTION "access/conv.glsl"
    MAMBA2 "access/mamba2.glsl"
    DELTA_NET "access/delta_net.glsl"
    CACHE_F32 "cache/f32.glsl"
    CACHE_F16 "cache/f16.glsl"
    CACHE_BLOCKS "cache/blocks.glsl"
    CACHE_Q8_0 "cache/q8_0.glsl"
    CACHE_Q4_0 "cache/q4_0.glsl"
    STORE_F32 "cache/store_f32.glsl"
    STORE_F16 "cache/store_f16.glsl"
    STORE_BLOCKS "cache/store_blocks.glsl"
    STORE_Q8_0 "cache/store_q8_0.glsl"
    STORE_Q4_0 "cache/store_q4_0.glsl"
    LINEAR "kernel/linear.glsl"
    SUMS "kernel/sums.glsl"
    EMBED_ROWS "kernel/embed_rows.glsl"
    NORM_ROWS "kernel/norm_rows.glsl"
    ROPE_QUERIES "kernel/rope_queries.glsl"
    ROPE_CELLS "kernel/rope_cells.glsl"
    ATTEND_SCORES "kernel/attend_scores.glsl"
    ATTEND_MIX "kernel/attend_mix.glsl"
    CONV "kernel/conv.glsl"
    CONV_TAPS "kernel/conv_taps.glsl"
    MAMBA2_OUT "kernel/mamba2_out.glsl"
    MAMBA2_STATE "kernel/mamba2_state.glsl"
    DELTA_OUT "kernel/delta_out.glsl"
    DELTA_STATE "kernel/delta_state.glsl"
    GATED_NORM "kernel/gated_norm.glsl"
    ROUTE "kernel/route.glsl"
    EXPERTS_UP "kernel/experts_up.glsl"
    EXPERTS_DOWN "kernel/experts_down.glsl"
    SCALE_ROWS "kernel/scale_rows.glsl"
    CLEAR_ROWS "kernel/clear_rows.glsl"
    GATE_ROWS "kernel/gate_rows.glsl"
    POOL_ROWS "kernel/pool_rows.glsl"
    CHUNK_TOPS "kernel/chunk_tops.glsl"
    PICK_TOP "kernel/pick_top.glsl"
    FEED "kernel/feed.glsl"
}
