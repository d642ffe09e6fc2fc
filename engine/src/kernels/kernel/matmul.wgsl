// out[t, r] = finish(scale * (sum_k W[r, k] * x[t, k] + bias[r] + delta[t, r])) for many tokens.
// A thread owns two rows (gate and up where GATED) and four tokens; 16 x 4 threads a workgroup, rows fastest.
fn dots(w: mat4x4<f32>, t: vec4<u32>, c: u32) -> vec4<f32> {
  var s = vec4<f32>(0.0);
  for (var i = 0u; i < 4u; i++) {
    let at = t + vec4<u32>(c + i);
    s += vec4<f32>(dot(w[i], inputs[at.x]), dot(w[i], inputs[at.y]), dot(w[i], inputs[at.z]), dot(w[i], inputs[at.w]));
  }
  return s;
}
@compute @workgroup_size(WG)
fn main(
  @builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>
) {
  let pair = (g.x + g.z * n.x) * 16u + (i & 15u);
  let t0 = (g.y * 4u + (i >> 4u)) * 4u;
  let a = select(2u * pair, pair, GATED);
  let count = row_count();
  if (a >= p.rows || t0 >= count) { return; }
  let b = select(min(a + 1u, p.rows - 1u), p.rows + pair, GATED);
  let last = count - 1u;
  let t = vec4<u32>(
    input_row(t0), input_row(min(t0 + 1u, last)), input_row(min(t0 + 2u, last)), input_row(min(t0 + 3u, last)));
  var ya = vec4<f32>(0.0);
  var yb = vec4<f32>(0.0);
  for (var u = 0u; u < p.units; u++) {
    ya += dots(decode16(a, u), t, 4u * u);
    yb += dots(decode16(b, u), t, 4u * u);
  }
  for (var j = 0u; j < 4u; j++) {
    if (t0 + j < count) {
      let at = p.out_offset + (t0 + j) * p.out_stride + p.first;
      if (GATED) {
        out[at + pair] = gated(with_bias(t0 + j, pair, ya[j]), up_with_bias(t0 + j, pair, yb[j]));
      } else {
        finish(at + a, factor() * with_bias(t0 + j, a, ya[j]));
        if (b != a) { finish(at + b, factor() * with_bias(t0 + j, b, yb[j])); }
      }
    }
  }
}
