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
}

/// `kernel/attend.wgsl`.
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
    pub pad: [u32; 3],
}

/// `kernel/pool_rows.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct PoolParams {
    pub in_offset: u32,
    pub in_stride: u32,
    pub out_offset: u32,
    pub cols: u32,
}

/// `kernel/pick_top.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct TopParams {
    pub in_offset: u32,
    pub in_stride: u32,
    pub cols: u32,
    pub pad: u32,
}
