// scores[t * heads + h] = scale * q[t] K^T, capped: four positions a fragment.
uniform usampler2D q;
uniform usampler2D keys;
vec4 query_four(uint at) { return vec4(value_at(q, at), value_at(q, at + 1u), value_at(q, at + 2u), value_at(q, at + 3u)); }
void main() {
  uvec2 at = place(0u, POSITIONS);
  uint heads = p.group * p.kv_heads;
  uint t = at.x / heads;
  uint h = at.x % heads;
  if (t >= state.tokens) { discard; }
  uvec4 token = words_at(tokens, t);
  uvec2 seen = seen_by(token);
  if (at.y + 4u <= seen.x || at.y >= seen.y) { discard; }
  // Four positions lie in a page; those behind the last one have cells too.
  uint cell = cells_at(token, at.y) + h / p.group;
  uint base = p.q_offset + t * p.q_stride + h * HEAD;
  vec4 s = vec4(0.0);
  for (uint i = 0u; i < FOURS; i++) {
    vec4 v = (base & 3u) == 0u ? four_at(q, base / 4u + i) : query_four(base + 4u * i);
    s += vec4(
      dot(v, cell_four(keys, cell, i)), dot(v, cell_four(keys, cell + CELLS, i)),
      dot(v, cell_four(keys, cell + 2u * CELLS, i)), dot(v, cell_four(keys, cell + 3u * CELLS, i)));
  }
  s *= p.scale;
  if (p.cap != 0.0) { s = p.cap * tanh(clamp(s / p.cap, -15.0, 15.0)); }
  result = floatBitsToUint(s);
}
