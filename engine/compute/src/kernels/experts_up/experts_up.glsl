// out[t * used + s, r] = gated(gate_e[r] . x[t] + bias, up_e[r] . x[t] + bias), e the s-th expert of token t.
vec4 with_bias(uint row, vec4 y) {
  if (!HAS_BIAS) { return y; }
  uint at = p.bias + row;
  return y + vec4(vector_at(at), vector_at(at + 1u), vector_at(at + 2u), vector_at(at + 3u));
}
void main() {
  uvec2 at = place(p.out_offset, p.out_stride);
  uint t = at.x / p.used;
  if (t >= state.tokens || at.y >= p.expert_rows) { discard; }
  // The row among those of all experts, and whether this shard holds it.
  uint row = expert_of(t, at.x % p.used) * p.expert_rows + at.y;
  if (row < p.first || row >= p.first + p.rows) { discard; }
  uvec4 r = min(uvec4(row - p.first) + uvec4(0u, 1u, 2u, 3u), uvec4(p.rows - 1u));
  vec4 gate = with_bias(row, four_dots(r, t));
  vec4 up = with_bias(p.outputs + row, four_dots(p.rows + r, t));
  result = floatBitsToUint(gated(gate, up));
}
