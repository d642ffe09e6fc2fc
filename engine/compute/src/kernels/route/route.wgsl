// The `used` experts with the largest probability, biased where BIASED (the lowest id among equals): pairs of id and
// weight, the largest first. One workgroup per token; a thread counts for each expert of its own how many come before it.
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> logits: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<u32>;
// One value of each thread.
var<workgroup> values: array<f32, WG>;
// Of the token's logits.
var<private> high: f32;
var<private> total: f32;
fn share(value: f32, t: u32) {
  workgroupBarrier();
  values[t] = value;
  workgroupBarrier();
}
fn largest_of_all(value: f32, t: u32) -> f32 {
  share(value, t);
  var largest = values[0];
  for (var j = 1u; j < WG; j++) { largest = max(largest, values[j]); }
  return largest;
}
fn probability(at: u32) -> f32 {
  if (SIGMOID) { return 1.0 / (1.0 + exp(min(-logits[at], 80.0))); }
  return exp(logits[at] - high) / total;
}
fn chosen_by(base: u32, e: u32) -> f32 {
  if (BIASED) { return probability(base + e) + vectors[p.bias + e]; }
  return probability(base + e);
}
@compute @workgroup_size(WG)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) g: vec3<u32>) {
  let base = p.in_offset + g.x * p.in_stride;
  let to = p.out_offset + g.x * p.out_stride;
  var largest = logits[base];
  for (var e = t; e < p.experts; e += WG) { largest = max(largest, logits[base + e]); }
  high = largest_of_all(largest, t);
  var sum = 0.0;
  for (var e = t; e < p.experts; e += WG) { sum += exp(logits[base + e] - high); }
  total = workgroup_sum(sum, t);
  var weights = 0.0;
  for (var first = 0u; first < p.experts; first += WG) {
    let e = first + t;
    let score = chosen_by(base, min(e, p.experts - 1u));
    var before = 0u;
    for (var start = 0u; start < p.experts; start += WG) {
      share(chosen_by(base, min(start + t, p.experts - 1u)), t);
      let count = min(WG, p.experts - start);
      for (var j = 0u; j < count; j++) {
        before += u32(values[j] > score || (values[j] == score && start + j < e));
      }
    }
    if (e < p.experts && before < p.used) {
      let weight = probability(base + e);
      weights += weight;
      out[to + 2u * before] = e;
      out[to + 2u * before + 1u] = bitcast<u32>(weight);
    }
  }
  weights = workgroup_sum(weights, t);
  // The bound is llama.cpp's.
  let factor = p.scale / select(1.0, max(weights, 6.103515625e-5), p.normalise == 1u);
  storageBarrier();
  for (var slot = t; slot < p.used; slot += WG) {
    let at = to + 2u * slot + 1u;
    out[at] = bitcast<u32>(bitcast<f32>(out[at]) * factor);
  }
}
