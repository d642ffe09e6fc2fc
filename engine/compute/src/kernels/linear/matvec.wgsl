// out[t, r] = epilogue(scale * (sum_k W[r, k] * norm(x[t])[k] + bias[r] + delta[t, r])).
// p.lanes threads walk the units of four rows; WG / p.lanes quads of rows per workgroup; g.y is t. They read the input from
// workgroup memory, STAGED units at a time, where neighbours read neighbours.
const STAGED = 128u;
// So that the four fours of two units lie in different banks.
const STRIDE = STAGED + 2u;
var<workgroup> staged: array<vec4<f32>, 4u * STRIDE>;
var<workgroup> partial: array<vec4<f32>, WG>;
fn products(x: mat4x4<f32>, rows: vec4<u32>, u: u32) -> vec4<f32> {
  let a = decode16(rows.x, u);
  let b = decode16(rows.y, u);
  let d = decode16(rows.z, u);
  let e = decode16(rows.w, u);
  return dots(x[0], a[0], b[0], d[0], e[0]) + dots(x[1], a[1], b[1], d[1], e[1])
    + dots(x[2], a[2], b[2], d[2], e[2]) + dots(x[3], a[3], b[3], d[3], e[3]);
}
@compute @workgroup_size(WG)
fn main(
  @builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>
) {
  let base = input_row(g.y);
  prologue(base, t, g.x + g.z == 0u);
  let lanes = p.lanes;
  let r = ((g.x + g.z * n.x) * (WG / lanes) + t / lanes) * QUAD_OUTPUTS;
  let lane = t % lanes;
  let rows = quad_rows(r);
  var y = vec4<f32>(0.0);
  for (var first = 0u; first < p.units; first += STAGED) {
    let count = min(STAGED, p.units - first);
    if (first != 0u) { workgroupBarrier(); }
    for (var c = t; c < 4u * count; c += WG) { staged[c % 4u * STRIDE + c / 4u] = input(base, 4u * first + c); }
    workgroupBarrier();
    for (var u = lane; u < count; u += lanes) {
      let x = mat4x4<f32>(staged[u], staged[STRIDE + u], staged[2u * STRIDE + u], staged[3u * STRIDE + u]);
      y += products(x, rows, first + u);
    }
  }
  var factor = 1.0;
  if (HAS_STATISTIC) { factor = norm_factor(workgroup_sum(take_statistic(), t)); }
  partial[t] = y;
  for (var apart = lanes / 2u; apart > 0u; apart /= 2u) {
    workgroupBarrier();
    if (lane < apart) { partial[t] += partial[t + apart]; }
  }
  if (lane == 0u) { store_quad(g.y, r, factor * partial[t]); }
}
