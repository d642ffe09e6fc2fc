// The `used` experts with the largest probability (the lowest id among equals): pairs of id and weight.
// One thread per token.
struct Params {
  in_offset: u32, in_stride: u32, out_offset: u32, out_stride: u32,
  experts: u32, used: u32, normalise: u32, scale: f32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(2) var<storage, read> logits: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (g.x >= state.tokens) { return; }
  let base = p.in_offset + g.x * p.in_stride;
  let to = p.out_offset + g.x * p.out_stride;
  var high = logits[base];
  for (var e = 1u; e < p.experts; e++) { high = max(high, logits[base + e]); }
  var total = 0.0;
  for (var e = 0u; e < p.experts; e++) { total += exp(logits[base + e] - high); }
  var sum = 0.0;
  for (var slot = 0u; slot < p.used; slot++) {
    var best = p.experts;
    for (var e = 0u; e < p.experts; e++) {
      var taken = false;
      for (var j = 0u; j < slot; j++) { taken = taken || out[to + 2u * j] == e; }
      if (!taken && (best == p.experts || logits[base + e] > logits[base + min(best, p.experts - 1u)])) { best = e; }
    }
    let probability = exp(logits[base + min(best, p.experts - 1u)] - high) / total;
    sum += probability;
    out[to + 2u * slot] = best;
    out[to + 2u * slot + 1u] = bitcast<u32>(probability);
  }
  let factor = p.scale / select(1.0, sum, p.normalise == 1u);
  for (var slot = 0u; slot < p.used; slot++) {
    let at = to + 2u * slot + 1u;
    out[at] = bitcast<u32>(bitcast<f32>(out[at]) * factor);
  }
}
