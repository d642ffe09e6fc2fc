// out[t, r] += sum_s sums[t * used + s, r].
@group(0) @binding(2) var<storage, read> sums: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (g.x >= p.cols) { return; }
  var y = 0.0;
  for (var s = 0u; s < p.used; s++) { y += sums[p.in_offset + (g.y * p.used + s) * p.in_stride + g.x]; }
  out[p.out_offset + g.y * p.out_stride + g.x] += y;
}
