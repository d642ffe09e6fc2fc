//! The .wgsl files.

/// A file of WGSL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    /// Path below `engine/src/kernels`, for messages.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! part {
    ($name:ident, $path:literal) => {
        pub const $name: Part = Part { path: $path, text: crate::bare!("kernels/", $path) };
    };
}

part!(COMMON, "access/common.wgsl");
part!(BYTES, "access/bytes.wgsl");
part!(WEIGHTS, "access/weights.wgsl");
part!(UNPACK, "access/unpack.wgsl");
part!(PRODUCT_PARAMS, "access/product_params.wgsl");
part!(PRODUCT, "access/product.wgsl");
part!(SUMS, "access/sums.wgsl");
part!(QUAD, "access/quad.wgsl");
part!(DELTA_NONE, "delta/none.wgsl");
part!(DELTA_ADD, "delta/add.wgsl");
part!(STATISTICS, "access/statistics.wgsl");
part!(SUM, "access/sum.wgsl");
part!(PROLOGUE_SUM, "prologue/sum.wgsl");
part!(PROLOGUE_SUM_RMS, "prologue/sum_rms.wgsl");
part!(PROLOGUE_NONE, "prologue/none.wgsl");
part!(PROLOGUE_RMS, "prologue/rms.wgsl");
part!(PROLOGUE_RMS_BIAS, "prologue/rms_bias.wgsl");
part!(PROLOGUE_LAYER, "prologue/layer.wgsl");
part!(ACT_NONE, "act/none.wgsl");
part!(ACT_SILU, "act/silu.wgsl");
part!(ACT_GELU, "act/gelu.wgsl");
part!(ACT_RELU_SQUARED, "act/relu_squared.wgsl");
part!(ACT_BOUNDED_SILU, "act/bounded_silu.wgsl");
part!(FINISH_STORE, "finish/store.wgsl");
part!(FINISH_ADD, "finish/add.wgsl");
part!(FINISH_CAP, "finish/cap.wgsl");
part!(FINISH_GATE, "finish/gate.wgsl");
part!(TOKENS, "access/tokens.wgsl");
part!(ATTENTION, "access/attention.wgsl");
part!(CELLS, "access/cells.wgsl");
part!(QUERIES, "access/queries.wgsl");
part!(CACHE_F32, "cache/f32.wgsl");
part!(CACHE_F32_VEC4, "cache/f32_vec4.wgsl");
part!(CACHE_F16, "cache/f16.wgsl");
part!(CACHE_BLOCKS, "cache/blocks.wgsl");
part!(CACHE_Q8_0, "cache/q8_0.wgsl");
part!(CACHE_Q4_0, "cache/q4_0.wgsl");
part!(STORE_F32, "cache/store_f32.wgsl");
part!(STORE_F16, "cache/store_f16.wgsl");
part!(STORE_BLOCKS, "cache/store_blocks.wgsl");
part!(STORE_Q8_0, "cache/store_q8_0.wgsl");
part!(STORE_Q4_0, "cache/store_q4_0.wgsl");
part!(EMBED_ROWS, "kernel/embed_rows.wgsl");
part!(NORM_ROWS, "kernel/norm_rows.wgsl");
part!(MATVEC, "kernel/matvec.wgsl");
part!(MATVEC_FEW, "kernel/matvec_few.wgsl");
part!(MATMUL, "kernel/matmul.wgsl");
part!(ROPE_STORE, "kernel/rope_store.wgsl");
part!(ATTEND_LANES, "kernel/attend_lanes.wgsl");
part!(ATTEND_TILES, "kernel/attend_tiles.wgsl");
part!(ATTEND_MERGE, "kernel/attend_merge.wgsl");
part!(POOL_ROWS, "kernel/pool_rows.wgsl");
part!(KEYS, "access/keys.wgsl");
part!(LARGEST, "access/largest.wgsl");
part!(FEED, "access/feed.wgsl");
part!(SAMPLING, "access/sampling.wgsl");
part!(CHUNK_TOPS, "kernel/chunk_tops.wgsl");
part!(PICK_TOP, "kernel/pick_top.wgsl");
part!(SHORTLIST, "kernel/shortlist.wgsl");
part!(DRAW, "kernel/draw.wgsl");
part!(ROUTES, "access/route.wgsl");
part!(CONV, "kernel/conv.wgsl");
part!(MAMBA2_SCAN, "kernel/mamba2_scan.wgsl");
part!(DELTA_SCAN, "kernel/delta_scan.wgsl");
part!(GATED_NORM, "kernel/gated_norm.wgsl");
part!(ROUTE, "kernel/route.wgsl");
part!(EXPERTS_UP, "kernel/experts_up.wgsl");
part!(EXPERTS_DOWN, "kernel/experts_down.wgsl");
part!(SCALE_ROWS, "kernel/scale_rows.wgsl");
part!(CLEAR_ROWS, "kernel/clear_rows.wgsl");
part!(GATE_ROWS, "kernel/gate_rows.wgsl");
