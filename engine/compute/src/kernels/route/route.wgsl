// The `used` experts with the largest probability, biased where BIASED (the lowest id among equals): pairs of id and
// weight. One thread per token.
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> logits: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<u32>;
// Of the token's logits.
var<private> high: f32;
var<private> total: f32;
fn probability(at: u32) -> f32 {
  if (SIGMOID) { return 1.0 / (1.0 + exp(min(-logits[at], 80.0))); }
  return exp(logits[at] - high) / total;
}
fn chosen_by(base: u32, e: u32) -> f32 {
  if (BIASED) { return probability(base + e) + vectors[p.bias + e]; }
  return probability(base + e);
}
@compute @workgroup_size(WG)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  if (g.x >= state.tokens) { return; }
  let base = p.in_offset + g.x * p.in_stride;
  let to = p.out_offset + g.x * p.out_stride;
  high = logits[base];
  for (var e = 1u; e < p.experts; e++) { high = max(high, logits[base + e]); }
  total = 0.0;
  for (var e = 0u; e < p.experts; e++) { total += exp(logits[base + e] - high); }
  var sum = 0.0;
  for (var slot = 0u; slot < p.used; slot++) {
    var best = p.experts;
    var most = 0.0;
    for (var e = 0u; e < p.experts; e++) {
      var taken = false;
      for (var j = 0u; j < slot; j++) { taken = taken || out[to + 2u * j] == e; }
      let score = chosen_by(base, e);
      if (!taken && (best == p.experts || score > most)) {
        best = e;
        most = score;
      }
    }
    let weight = probability(base + min(best, p.experts - 1u));
    sum += weight;
    out[to + 2u * slot] = best;
    out[to + 2u * slot + 1u] = bitcast<u32>(weight);
  }
  // The bound is llama.cpp's.
  let factor = p.scale / select(1.0, max(sum, 6.103515625e-5), p.normalise == 1u);
  for (var slot = 0u; slot < p.used; slot++) {
    let at = to + 2u * slot + 1u;
    out[at] = bitcast<u32>(bitcast<f32>(out[at]) * factor);
  }
}
