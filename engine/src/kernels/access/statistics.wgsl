// Sums over a workgroup with one barrier: every thread adds up all partial sums.
var<workgroup> partial_sums: array<f32, WG>;
fn workgroup_sum(v: f32, t: u32) -> f32 {
  partial_sums[t] = v;
  workgroupBarrier();
  var total = 0.0;
  for (var i = 0u; i < WG; i++) { total += partial_sums[i]; }
  workgroupBarrier();
  return total;
}
// The values of vec4 `c` of a row that lie inside its `cols` values; the others become zero.
fn inside(v: vec4<f32>, c: u32) -> vec4<f32> {
  return select(vec4<f32>(0.0), v, vec4<u32>(4u * c) + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(p.cols));
}
