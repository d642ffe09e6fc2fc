// out[t, c] = silu(sum_j w[c, j] * x[t - KERNEL + 1 + j, c] + bias[c]); gated: row b, c, z; out = c * conv(b * z).
// One thread per channel walks through time, four tokens at a time so that their loads wait together; the last inputs stay in
// `taps`, [slots, channels, KERNEL - 1].
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> inputs: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<storage, read_write> taps: array<f32>;
fn silu(x: f32) -> f32 { return x / (1.0 + exp(min(-x, 80.0))); }
fn input_at(at: u32) -> f32 { return select(inputs[at], inputs[at] * inputs[at + 2u * p.channels], GATED); }
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let c = g.x;
  if (c >= p.channels) { return; }
  let kept = (slot_of(g.y) * p.channels + c) * (KERNEL - 1u);
  // The last KERNEL inputs, the oldest first.
  var x: array<f32, KERNEL>;
  var w: array<f32, KERNEL>;
  for (var j = 0u; j < KERNEL; j++) { w[j] = vectors[p.weight + c * KERNEL + j]; }
  for (var j = 0u; j + 1u < KERNEL; j++) { x[j + 1u] = select(taps[kept + j], 0.0, starts(g.y)); }
  let end = end_token(g.y);
  for (var first = first_token(g.y); first < end; first += 4u) {
    let at = p.in_offset + min(vec4<u32>(first, first + 1u, first + 2u, first + 3u), vec4<u32>(end - 1u)) * p.in_stride + c;
    let next = vec4<f32>(input_at(at.x), input_at(at.y), input_at(at.z), input_at(at.w));
    for (var u = 0u; u < min(4u, end - first); u++) {
      for (var j = 0u; j + 1u < KERNEL; j++) { x[j] = x[j + 1u]; }
      x[KERNEL - 1u] = next[u];
      var s = 0.0;
      for (var j = 0u; j < KERNEL; j++) { s += w[j] * x[j]; }
      let to = p.out_offset + (first + u) * p.out_stride + c;
      if (GATED) {
        out[to] = inputs[at[u] + p.channels] * s;
      } else if (HAS_BIAS) {
        out[to] = silu(s + vectors[p.bias + c]);
      } else {
        out[to] = silu(s);
      }
    }
  }
  for (var j = 0u; j + 1u < KERNEL; j++) { taps[kept + j] = x[j + 1u]; }
}
