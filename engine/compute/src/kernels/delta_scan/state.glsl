// S after the token.
uniform usampler2D changes;
void main() {
  uint len = inner() * p.key_len;
  uvec2 at = place(state.slots * len, len);
  if (at.x != 0u) { discard; }
  vec4 y = is_fresh() ? vec4(0.0) : four_at(rows, here());
  for (uint n = 0u; n < 4u; n++) {
    uint i = min((at.y + n) / p.key_len, inner() - 1u);
    uint head = i / p.value_len;
    float kj = value_at(qkv, query_at(head) + p.key_heads * p.key_len + (at.y + n) % p.key_len);
    y[n] = y[n] * decay_of(head) + value_at(changes, p.out_offset + step_token * p.out_stride + i) * kj;
  }
  result = floatBitsToUint(y);
}
