// The `used` experts with the largest probability, biased where BIASED (the lowest id among equals): pairs of id and weight.
uniform usampler2D vectors;
uniform usampler2D logits;
float high;
float total;
float probability(uint at) {
  float logit = value_at(logits, at);
  return SIGMOID ? 1.0 / (1.0 + exp(min(-logit, 80.0))) : exp(logit - high) / total;
}
void main() {
  uvec2 at = place(p.out_offset, p.out_stride);
  if (at.x >= state.tokens || at.y >= 2u * p.used) { discard; }
  uint base = p.in_offset + at.x * p.in_stride;
  high = value_at(logits, base);
  for (uint e = 1u; e < p.experts; e++) { high = max(high, value_at(logits, base + e)); }
  total = 0.0;
  for (uint e = 0u; e < p.experts; e++) { total += exp(value_at(logits, base + e) - high); }
  uint chosen[USED];
  float weights[USED];
  float sum = 0.0;
  for (uint s = 0u; s < USED; s++) {
    uint best = p.experts;
    float most = 0.0;
    for (uint e = 0u; e < p.experts; e++) {
      bool taken = false;
      for (uint j = 0u; j < s; j++) { taken = taken || chosen[j] == e; }
      float score = probability(base + e);
      if (BIASED) { score += value_at(vectors, p.bias + e); }
      if (!taken && (best == p.experts || score > most)) {
        best = e;
        most = score;
      }
    }
    chosen[s] = best;
    weights[s] = probability(base + min(best, p.experts - 1u));
    sum += weights[s];
  }
  // The bound is llama.cpp's.
  float factor = p.scale / (p.normalise == 1u ? max(sum, 6.103515625e-5) : 1.0);
  uint s = at.y / 2u;
  result = uvec4(chosen[s], floatBitsToUint(weights[s] * factor), 0u, 0u);
  if (s + 1u < USED) { result.zw = uvec2(chosen[s + 1u], floatBitsToUint(weights[s + 1u] * factor)); }
}
