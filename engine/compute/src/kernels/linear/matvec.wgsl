// out[t, r] = epilogue(scale * (sum_k W[r, k] * norm(x[t])[k] + bias[r] + delta[t, r])).
// p.lanes threads walk the units of four rows; WG / p.lanes quads of rows per workgroup; g.y is t. With ONE_LANE a thread
// walks them alone, and nobody waits.
var<workgroup> partial: array<vec4<f32>, WG>;
var<workgroup> partial_statistic: array<f32, WG>;
@compute @workgroup_size(WG)
fn main(
  @builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>
) {
  let base = input_row(g.y);
  prologue(base, t, g.x + g.z == 0u);
  let lanes = select(p.lanes, 1u, ONE_LANE);
  let r = ((g.x + g.z * n.x) * (WG / lanes) + t / lanes) * QUAD_OUTPUTS;
  let lane = t % lanes;
  let r0 = quad_row(r, 0u);
  let r1 = quad_row(r, 1u);
  let r2 = quad_row(r, 2u);
  let r3 = quad_row(r, 3u);
  var y = vec4<f32>(0.0);
  for (var u = lane; u < p.units; u += lanes) {
    let c = 4u * u;
    let x = mat4x4<f32>(input(base, c), input(base, c + 1u), input(base, c + 2u), input(base, c + 3u));
    let a = decode16(r0, u);
    let b = decode16(r1, u);
    let d = decode16(r2, u);
    let e = decode16(r3, u);
    y += dots(x[0], a[0], b[0], d[0], e[0]) + dots(x[1], a[1], b[1], d[1], e[1])
      + dots(x[2], a[2], b[2], d[2], e[2]) + dots(x[3], a[3], b[3], d[3], e[3]);
  }
  if (ONE_LANE) {
    store_quad(g.y, r, norm_factor(take_statistic()) * y);
    return;
  }
  partial[t] = y;
  var s = take_statistic();
  partial_statistic[t] = s;
  workgroupBarrier();
  if (lane == 0u) {
    for (var i = 1u; i < lanes; i++) {
      y += partial[t + i];
      s += partial_statistic[t + i];
    }
    store_quad(g.y, r, norm_factor(s) * y);
  }
}
