// Constants of a product or an embedding. Offsets and strides of `in`, `sum` and `to` count vec4, all others count values
// or 4-byte words.
struct Params {
  plane_base: vec4<u32>, plane_stride: vec4<u32>,
  first: u32, rows: u32, outputs: u32, units: u32,
  in_offset: u32, in_stride: u32, out_offset: u32, out_stride: u32,
  cols: u32, norm_weight: u32, norm_bias: u32, bias: u32,
  eps: f32, from_outputs: u32, scale: f32, cap: f32,
  route_offset: u32, route_stride: u32, used: u32, expert_rows: u32,
  parts: u32, codebook: u32, delta_offset: u32, delta_stride: u32,
  by_factor: u32, sum_weight: u32, sum_eps: f32, sum_scale: f32,
  sum_offset: u32, sum_stride: u32, to_offset: u32, to_stride: u32,
  lanes: u32, pad0: u32, pad1: u32, pad2: u32,
}
@group(0) @binding(0) var<uniform> p: Params;
