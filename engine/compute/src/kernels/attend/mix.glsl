// out[t] = softmax(scores) V, gated where heads have gates. A sink is seen by every query of its head and adds nothing.
uniform usampler2D vectors;
uniform usampler2D scores;
uniform usampler2D values;
uniform usampler2D gates;
const float LOWEST = -3.0e38;
vec4 only(vec4 v, bvec4 keep, float rest) {
  return vec4(keep.x ? v.x : rest, keep.y ? v.y : rest, keep.z ? v.z : rest, keep.w ? v.w : rest);
}
float largest(vec4 v) { return max(max(v.x, v.y), max(v.z, v.w)); }
// Values 4 i to 4 i + 3 of head h.
vec4 mixed(uint t, uint h, uint i) {
  uvec4 token = words_at(tokens, t);
  uvec2 seen = seen_by(token);
  uint row = (t * p.group * p.kv_heads + h) * (POSITIONS / 4u);
  float high = p.sunk == 0u ? LOWEST : value_at(vectors, p.sinks + h);
  uint begin = seen.x / 4u * 4u;
  for (uint at = begin; at < seen.y; at += 4u) {
    high = max(high, largest(only(four_at(scores, row + at / 4u), visible(at, seen), LOWEST)));
  }
  float total = p.sunk == 0u ? 0.0 : exp(value_at(vectors, p.sinks + h) - high);
  vec4 sum = vec4(0.0);
  for (uint at = begin; at < seen.y; at += 4u) {
    vec4 s = only(four_at(scores, row + at / 4u), visible(at, seen), LOWEST);
    vec4 w = only(exp(max(s - high, -80.0)), visible(at, seen), 0.0);
    total += dot(w, vec4(1.0));
    uint cell = cells_at(token, at) + h / p.group;
    // What lies in cells that nobody has written is no number.
    sum += w.x * only(cell_four(values, cell, i), bvec4(w.x > 0.0), 0.0);
    sum += w.y * only(cell_four(values, cell + CELLS, i), bvec4(w.y > 0.0), 0.0);
    sum += w.z * only(cell_four(values, cell + 2u * CELLS, i), bvec4(w.z > 0.0), 0.0);
    sum += w.w * only(cell_four(values, cell + 3u * CELLS, i), bvec4(w.w > 0.0), 0.0);
  }
  vec4 y = sum / total;
  if (p.gated != 0u) {
    uint at = p.gate_offset + t * p.gate_stride + (2u * h + 1u) * HEAD + 4u * i;
    vec4 gate = vec4(value_at(gates, at), value_at(gates, at + 1u), value_at(gates, at + 2u), value_at(gates, at + 3u));
    y /= 1.0 + exp(min(-gate, 80.0));
  }
  return y;
}
void main() {
  uvec2 at = place(p.out_offset, p.out_stride);
  uint width = p.group * p.kv_heads * HEAD;
  if (at.x >= state.tokens || at.y >= width) { discard; }
  vec4 y = mixed(at.x, at.y / HEAD, at.y % HEAD / 4u);
  if (HEAD % 4u != 0u) {
    // Two heads can share four words: the last two of one, the first two of the next, or two of each in turn.
    uint next = at.y + 2u;
    vec4 first = at.y % HEAD % 4u == 0u ? y : y.zwzw;
    vec4 second = next >= width ? vec4(0.0) : mixed(at.x, next / HEAD, next % HEAD / 4u);
    y = vec4(first.xy, next % HEAD % 4u == 0u ? second.xy : second.zw);
  }
  result = floatBitsToUint(y);
}
