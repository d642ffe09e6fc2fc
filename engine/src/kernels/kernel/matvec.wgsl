// out[t, r] = finish(scale * (sum_k W[r, k] * norm(x[t])[k] + bias[r] + delta[t, r])).
// LANES threads walk the units of a row; WG / LANES rows (pairs of gate and up where GATED) per workgroup; g.y is t.
var<workgroup> partial: array<vec2<f32>, WG>;
fn unit_dot(row: u32, unit: u32, x: mat4x4<f32>) -> f32 {
  let w = decode16(row, unit);
  return dot(w[0], x[0]) + dot(w[1], x[1]) + dot(w[2], x[2]) + dot(w[3], x[3]);
}
@compute @workgroup_size(WG)
fn main(
  @builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>
) {
  let base = input_row(g.y);
  prologue(base, t, g.x + g.z == 0u);
  let row = (g.x + g.z * n.x) * (WG / LANES) + t / LANES;
  let lane = t % LANES;
  var s = vec2<f32>(0.0);
  if (row < p.rows) {
    for (var u = lane; u < p.units; u += LANES) {
      let c = 4u * u;
      let x = mat4x4<f32>(input(base, c), input(base, c + 1u), input(base, c + 2u), input(base, c + 3u));
      s.x += unit_dot(row, u, x);
      if (GATED) { s.y += unit_dot(p.rows + row, u, x); }
    }
  }
  partial[t] = s;
  workgroupBarrier();
  if (lane == 0u && row < p.rows) {
    var y = s;
    for (var i = 1u; i < LANES; i++) { y += partial[t + i]; }
    let at = p.out_offset + g.y * p.out_stride + p.first + row;
    if (GATED) {
      out[at] = gated(with_bias(g.y, row, y.x), up_with_bias(g.y, row, y.y));
    } else {
      finish(at, factor() * with_bias(g.y, row, y.x));
    }
  }
}
