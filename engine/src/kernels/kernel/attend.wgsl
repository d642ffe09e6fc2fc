// out[t] = softmax(scale * q[t] K^T) V.   One workgroup per head and token; WG keys at a time, the softmax running.
struct Params {
  group: u32, kv_heads: u32, q_offset: u32, q_stride: u32,
  out_offset: u32, out_stride: u32, scale: f32, cap: f32,
  window: u32, gate_offset: u32, gate_stride: u32, scales: u32,  // window 0: all
  sinks: u32, pad0: u32, pad1: u32, pad2: u32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(2) var<storage, read> pages: array<u32>;
@group(0) @binding(3) var<storage, read> q: array<f32>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>;
@group(0) @binding(7) var<storage, read> gates: array<f32>;
@group(0) @binding(8) var<storage, read> tokens: array<Token>;
var<workgroup> scores: array<f32, WG>;
var<workgroup> weights: array<f32, WG>;
const LOWEST = -3.0e38;

@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let head = g.x / p.group;
  load_query(p.q_offset + g.y * p.q_stride + g.x * HEAD, t);
  workgroupBarrier();
  let token = tokens[g.y];
  let position = token.position;
  var seen = select(token.end, position + 1u, CAUSAL);
  var first = 0u;
  if (p.window != 0u) {
    first = max(position + select(0u, 1u, CAUSAL), p.window) - p.window;
    seen = min(seen, position + p.window + 1u);
  }
  var highest = first_score(g.x);
  var total = first_total();
  var sums: array<f32, PER_THREAD>;
  for (var base = first; base < seen; base += WG) {
    let valid = base + t < seen;
    var score = LOWEST;
    if (valid) {
      score = p.scale * key_dot(cell_of(token, base + t, head));
      if (p.cap != 0.0) { score = p.cap * tanh(clamp(score / p.cap, -15.0, 15.0)); }
    }
    scores[t] = score;
    workgroupBarrier();
    let count = min(WG, seen - base);
    var high = highest;
    for (var j = 0u; j < count; j++) { high = max(high, scores[j]); }
    weights[t] = select(0.0, exp(score - high), valid);
    let keep = exp(max(highest - high, -80.0));
    highest = high;
    total *= keep;
    for (var d = 0u; d < PER_THREAD; d++) { sums[d] *= keep; }
    workgroupBarrier();
    for (var j = 0u; j < count; j++) {
      let weight = weights[j];
      let cell = cell_of(token, base + j, head);
      total += weight;
      for (var d = 0u; d < PER_THREAD; d++) {
        if (t + d * WG < HEAD) { sums[d] += weight * value_at(cell, t + d * WG); }
      }
    }
  }
  let at = p.out_offset + g.y * p.out_stride + g.x * HEAD;
  for (var d = 0u; d < PER_THREAD; d++) {
    let i = t + d * WG;
    if (i < HEAD) {
      var y = sums[d] / total;
      if (GATED) {
        let gate = gates[p.gate_offset + g.y * p.gate_stride + (2u * g.x + 1u) * HEAD + i];
        y /= 1.0 + exp(min(-gate, 80.0));
      }
      out[at + i] = y;
    }
  }
}
