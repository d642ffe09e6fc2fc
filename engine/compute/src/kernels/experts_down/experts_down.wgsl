// out[t, r] += scale * sum_s weight_s * (down_e[r] . x[t * used + s] + bias), e the s-th expert of token t.
// LANES threads walk the units of a row for every slot; WG / LANES rows per workgroup; g.y is t.
var<workgroup> partial: array<f32, WG>;
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let r = g.x * (WG / LANES) + i / LANES;
  let lane = i % LANES;
  var s = 0.0;
  if (r < p.expert_rows) {
    for (var slot = 0u; slot < p.used; slot++) {
      let output = expert_of(g.y, slot) * p.expert_rows + r;
      if (output < p.first || output >= p.first + p.rows) { continue; }
      let base = p.in_offset + (g.y * p.used + slot) * p.in_stride;
      var y = 0.0;
      for (var u = lane; u < p.units; u += LANES) {
        let w = decode16(output - p.first, u);
        let c = base + 4u * u;
        y += dot(w[0], inputs[c]) + dot(w[1], inputs[c + 1u]) + dot(w[2], inputs[c + 2u]) + dot(w[3], inputs[c + 3u]);
      }
      if (HAS_BIAS && lane == 0u) { y += vector_at(p.bias + output); }
      s += weight_of(g.y, slot) * y;
    }
  }
  partial[i] = s;
  workgroupBarrier();
  if (lane == 0u && r < p.expert_rows) {
    var y = s;
    for (var j = 1u; j < LANES; j++) { y += partial[i + j]; }
    out[p.out_offset + g.y * p.out_stride + r] += p.scale * y;
  }
}
