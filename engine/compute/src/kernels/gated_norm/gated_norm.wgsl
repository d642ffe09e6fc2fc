// out[t, g] = norm(x * silu(gate)) where GATE_FIRST, else norm(x) * silu(gate), group by group.
// Without NORMED only the gate. One workgroup per group and token.
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> inputs: array<f32>;
@group(0) @binding(4) var<storage, read> gates: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;
fn silu(x: f32) -> f32 { return x / (1.0 + exp(min(-x, 80.0))); }
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let first = g.x * p.cols;
  let x = p.in_offset + g.y * p.in_stride + first;
  let gate = p.gate_offset + g.y * p.gate_stride + first;
  let to = p.out_offset + g.y * p.out_stride + first;
  if (!NORMED) {
    for (var i = t; i < p.cols; i += WG) { out[to + i] = inputs[x + i] * silu(gates[gate + i]); }
    return;
  }
  var s = 0.0;
  for (var i = t; i < p.cols; i += WG) {
    var v = inputs[x + i];
    if (GATE_FIRST) { v *= silu(gates[gate + i]); }
    s += v * v;
  }
  let inverse = 1.0 / sqrt(workgroup_sum(s, t) / f32(p.cols) + p.eps);
  let weight = p.weight + select(0u, first, p.own_weights == 1u);
  for (var i = t; i < p.cols; i += WG) {
    out[to + i] = inputs[x + i] * silu(gates[gate + i]) * inverse * vectors[weight + i];
  }
}
