// out[t, c] = silu(sum_j w[c, j] * x[t - KERNEL + 1 + j, c] + bias[c]); gated: row b, c, z; out = c * conv(b * z).
// One thread per channel walks through time; the last inputs stay in `taps`, [slots, channels, KERNEL - 1].
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> inputs: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;
@group(0) @binding(5) var<storage, read_write> taps: array<f32>;
fn silu(x: f32) -> f32 { return x / (1.0 + exp(min(-x, 80.0))); }
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let c = g.x;
  if (c >= p.channels) { return; }
  let kept = (state.slot * p.channels + c) * (KERNEL - 1u);
  // The last KERNEL inputs, the oldest first.
  var x: array<f32, KERNEL>;
  for (var j = 0u; j + 1u < KERNEL; j++) { x[j + 1u] = select(taps[kept + j], 0.0, state.fresh == 1u); }
  for (var t = 0u; t < state.tokens; t++) {
    let at = p.in_offset + t * p.in_stride + c;
    for (var j = 0u; j + 1u < KERNEL; j++) { x[j] = x[j + 1u]; }
    x[KERNEL - 1u] = inputs[at];
    if (GATED) { x[KERNEL - 1u] *= inputs[at + 2u * p.channels]; }
    var s = 0.0;
    for (var j = 0u; j < KERNEL; j++) { s += vectors[p.weight + c * KERNEL + j] * x[j]; }
    let to = p.out_offset + t * p.out_stride + c;
    if (GATED) {
      out[to] = inputs[at + p.channels] * s;
    } else if (HAS_BIAS) {
      out[to] = silu(s + vectors[p.bias + c]);
    } else {
      out[to] = silu(s);
    }
  }
  for (var j = 0u; j + 1u < KERNEL; j++) { taps[kept + j] = x[j + 1u]; }
}
