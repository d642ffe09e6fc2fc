// out[t * used + s, r] = gated(gate_e[r] . norm(x[t]) + bias, up_e[r] . norm(x[t]) + bias), e the s-th expert of token t.
// LANES threads walk the units of a row pair; WG / LANES rows per workgroup; g.y is t * used + s.
var<workgroup> partial: array<vec3<f32>, WG>;
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let t = g.y / p.used;
  let base = input_row(t);
  prologue(base, i, g.x == 0u);
  let r = g.x * (WG / LANES) + i / LANES;
  let lane = i % LANES;
  // The row among those of all experts, and whether this shard holds it.
  let output = expert_of(t, g.y % p.used) * p.expert_rows + r;
  let here = r < p.expert_rows && output >= p.first && output < p.first + p.rows;
  var s = vec2<f32>(0.0);
  if (here) {
    for (var u = lane; u < p.units; u += LANES) {
      let c = 4u * u;
      let x = mat4x4<f32>(input(base, c), input(base, c + 1u), input(base, c + 2u), input(base, c + 3u));
      s.x += dot16(decode16(output - p.first, u), x);
      s.y += dot16(decode16(p.rows + output - p.first, u), x);
    }
  }
  var y = vec3<f32>(s, take_statistic());
  partial[i] = y;
  workgroupBarrier();
  if (lane == 0u && here) {
    for (var j = 1u; j < LANES; j++) { y += partial[i + j]; }
    var z = norm_factor(y.z) * y.xy;
    if (HAS_BIAS) { z += vec2<f32>(vector_at(p.bias + output), vector_at(p.bias + p.outputs + output)); }
    out[p.out_offset + g.y * p.out_stride + r] = gated(z.x, z.y);
  }
}
