// As in access/product_params.wgsl of the compute kernels.
layout(std140) uniform Params {
  uvec4 plane_base, plane_stride;
  uint first, rows, outputs, units;
  uint in_offset, in_stride, out_offset, out_stride;
  uint cols, norm_weight, norm_bias, bias;
  float eps; uint from_outputs; float scale, cap;
  uint route_offset, route_stride, used, expert_rows;
  uint parts, codebook, delta_offset, delta_stride;
  uint by_factor, sum_weight; float sum_eps, sum_scale;
  uint sum_offset, sum_stride, to_offset, to_stride;
  uint lanes, pad0, pad1, pad2;
} p;
