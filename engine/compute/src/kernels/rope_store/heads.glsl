// Heads on their way from a product to attention: norm, rotation, and which is which in the row.
uniform usampler2D vectors;
uniform usampler2D angles;  // [context, rope_len / 2] cos, sin
uniform usampler2D qkv;
// KIND of a head. 0: query, 1: key, 2: value.
struct Head { uint base, weight, position; float mean, scale; bool is_value; };
// Mean, and 1 / sqrt(mean square around it + eps).
vec2 head_statistics(uint base, uint count, float eps, bool centred) {
  float mean = 0.0;
  if (centred) {
    for (uint i = 0u; i < count; i++) { mean += value_at(qkv, base + i); }
    mean /= float(count);
  }
  float squares = 0.0;
  for (uint i = 0u; i < count; i++) {
    float v = value_at(qkv, base + i) - mean;
    squares += v * v;
  }
  return vec2(mean, 1.0 / sqrt(squares / float(count) + eps));
}
Head head_of(uint t, uint kind, uint head, uint position) {
  uint token = p.in_offset + t * p.in_stride;
  uint k_first = p.heads * p.q_stride;
  uint first = kind == 0u ? 0u : (kind == 1u ? k_first : p.v_first);
  uint base = token + first + head * (kind == 0u ? p.q_stride : HEAD);
  uint norm_base = base;
  uint count = HEAD;
  uint weight = kind == 0u ? p.q_norm : p.k_norm;
  if (EACH_HEAD) { weight += head * HEAD; }
  if (WIDE && kind != 2u) {
    norm_base = token + first;
    count = (kind == 0u ? p.heads : p.kv_heads) * HEAD;
    weight += base - norm_base;
  }
  vec2 s = vec2(0.0, 1.0);
  if (kind == 2u ? VALUE_NORM : NORMED) {
    s = head_statistics(norm_base, count, kind == 2u ? p.value_eps : p.eps, CENTRED && kind != 2u);
  }
  return Head(base, weight, position, s.x, s.y, kind == 2u);
}
float normed(Head h, uint i) {
  if (!NORMED) { return value_at(qkv, h.base + i); }
  // A rotation changes no length, so only the weights wait until after it.
  float v = (value_at(qkv, h.base + i) - h.mean) * h.scale;
  return NORM_AFTER ? v : v * value_at(vectors, h.weight + i);
}
float rotated(Head h, uint i) {
  float own = normed(h, i);
  if (PAIRS == 2 || i >= p.rope_len) { return own; }
  uint half_len = p.rope_len / 2u;
  uint pair = i >> 1u;
  uint partner = i ^ 1u;
  bool first = (i & 1u) == 0u;
  if (PAIRS == 0) {
    first = i < half_len;
    pair = first ? i : i - half_len;
    partner = first ? i + half_len : i - half_len;
  }
  uint turn = 2u * (h.position * half_len + pair);
  vec2 cs = vec2(value_at(angles, turn), value_at(angles, turn + 1u));
  float other = normed(h, partner);
  return first ? own * cs.x - other * cs.y : other * cs.y + own * cs.x;
}
// Value i of the head as attention reads it.
float turned(Head h, uint i) {
  if (h.is_value) { return (value_at(qkv, h.base + i) - h.mean) * h.scale; }
  float v = rotated(h, i);
  return NORMED && NORM_AFTER ? v * value_at(vectors, h.weight + i) : v;
}
