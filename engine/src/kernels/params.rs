//! The constants that a dispatch's kernel reads from its uniform. Same fields in the same order as in the WGSL files.

use bytemuck::{Pod, Zeroable};

/// `access/product_params.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct ProductParams {
    pub plane_base: [u32; 4],
    pub plane_stride: [u32; 4],
    pub first: u32,
    pub rows: u32,
    pub outputs: u32,
    pub units: u32,
    pub in_offset: u32,
    pub in_stride: u32,
    pub out_offset: u32,
    pub out_stride: u32,
    pub cols: u32,
    pub norm_weight: u32,
    pub norm_bias: u32,
    pub bias: u32,
    pub eps: f32,
    pub from_outputs: u32,
    pub scale: f32,
    pub cap: f32,
    pub route_offset: u32,
    pub route_stride: u32,
    pub used: u32,
    pub expert_rows: u32,
    pub parts: u32,
    pub codebook: u32,
    pub delta_offset: u32,
    pub delta_stride: u32,
    pub by_factor: u32,
    pub sum_weight: u32,
    pub sum_eps: f32,
    pub sum_scale: f32,
    pub sum_offset: u32,
    pub sum_stride: u32,
    pub to_offset: u32,
    pub to_stride: u32,
    pub lanes: u32,
    pub pad: [u32; 3],
}

/// `kernel/rope_store.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct RopeStoreParams {
    pub heads: u32,
    pub kv_heads: u32,
    pub rope_len: u32,
    pub in_offset: u32,
    pub in_stride: u32,
    pub out_offset: u32,
    pub out_stride: u32,
    pub q_norm: u32,
    pub k_norm: u32,
    pub eps: f32,
    pub temperature: f32,
    pub original_tokens: u32,
    pub q_stride: u32,
    pub v_first: u32,
    pub value_eps: f32,
    pub scales: u32,
}

/// `access/attention.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct AttendParams {
    pub group: u32,
    pub kv_heads: u32,
    pub q_offset: u32,
    pub q_stride: u32,
    pub out_offset: u32,
    pub out_stride: u32,
    pub scale: f32,
    pub cap: f32,
    pub window: u32,
    pub gate_offset: u32,
    pub gate_stride: u32,
    pub scales: u32,
    pub sinks: u32,
    pub causal: u32,
    pub gated: u32,
    pub sunk: u32,
    pub tile_tokens: u32,
    pub pieces: u32,
    pub piece_heads: u32,
    pub splits: u32,
    pub head_len: u32,
    pub pad: [u32; 3],
}

/// `kernel/pool_rows.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct PoolParams {
    pub in_offset: u32,
    pub in_stride: u32,
    pub out_offset: u32,
    pub out_stride: u32,
    pub cols: u32,
    pub pad: [u32; 3],
}

/// `kernel/chunk_tops.wgsl` and `kernel/shortlist.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct ChunkParams {
    pub in_offset: u32,
    pub in_stride: u32,
    pub cols: u32,
    pub chunks: u32,
}

/// `kernel/pick_top.wgsl` and `kernel/draw.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct ChoiceParams {
    pub chunks: u32,
    pub pad: [u32; 3],
}

/// `kernel/conv.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct ConvParams {
    pub in_offset: u32,
    pub in_stride: u32,
    pub out_offset: u32,
    pub out_stride: u32,
    pub channels: u32,
    pub weight: u32,
    pub bias: u32,
    pub pad: u32,
}

/// `kernel/mamba2_scan.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Mamba2Params {
    pub xbc_offset: u32,
    pub xbc_stride: u32,
    pub dt_offset: u32,
    pub dt_stride: u32,
    pub out_offset: u32,
    pub out_stride: u32,
    pub heads: u32,
    pub head_len: u32,
    pub groups: u32,
    pub state_len: u32,
    pub bias: u32,
    pub a: u32,
    pub d: u32,
    pub pad: [u32; 3],
}

/// `kernel/delta_scan.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct DeltaParams {
    pub qkv_offset: u32,
    pub qkv_stride: u32,
    pub beta_offset: u32,
    pub beta_stride: u32,
    pub alpha_offset: u32,
    pub alpha_stride: u32,
    pub out_offset: u32,
    pub out_stride: u32,
    pub key_heads: u32,
    pub key_len: u32,
    pub value_heads: u32,
    pub value_len: u32,
    pub bias: u32,
    pub a: u32,
    pub eps: f32,
    pub pad: u32,
}

/// `kernel/gated_norm.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct GatedNormParams {
    pub in_offset: u32,
    pub in_stride: u32,
    pub gate_offset: u32,
    pub gate_stride: u32,
    pub out_offset: u32,
    pub out_stride: u32,
    pub cols: u32,
    pub weight: u32,
    pub own_weights: u32,
    pub eps: f32,
    pub pad: [u32; 2],
}

/// `kernel/route.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct RouteParams {
    pub in_offset: u32,
    pub in_stride: u32,
    pub out_offset: u32,
    pub out_stride: u32,
    pub experts: u32,
    pub used: u32,
    pub normalise: u32,
    pub scale: f32,
    pub bias: u32,
    pub pad: [u32; 3],
}

/// `kernel/scale_rows.wgsl` and `kernel/clear_rows.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct ScaleParams {
    pub offset: u32,
    pub stride: u32,
    pub cols: u32,
    pub by: u32,
}

/// `kernel/gate_rows.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct GateParams {
    pub offset: u32,
    pub stride: u32,
    pub cols: u32,
    pub by_offset: u32,
    pub by_stride: u32,
    pub pad: [u32; 3],
}
