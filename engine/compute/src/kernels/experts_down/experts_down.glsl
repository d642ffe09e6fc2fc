// out[t, r] += scale * sum_s weight_s * (down_e[r] . x[t * used + s] + bias), e the s-th expert of token t.
void main() {
  uint origin = p.out_offset % p.out_stride;
  uvec2 at = place(p.out_offset - origin, p.out_stride);
  uint r = at.y - origin;
  if (at.x >= state.tokens || at.y < origin || r >= p.expert_rows) {
    keep();
    return;
  }
  vec4 s = vec4(0.0);
  for (uint i = 0u; i < p.used; i++) {
    uint row = expert_of(at.x, i) * p.expert_rows + r;
    if (row < p.first || row >= p.first + p.rows) { continue; }
    uvec4 four = min(uvec4(row - p.first) + uvec4(0u, 1u, 2u, 3u), uvec4(p.rows - 1u));
    vec4 y = dots_at(four, p.in_offset + (at.x * p.used + i) * p.in_stride);
    if (HAS_BIAS) {
      uint bias = p.bias + row;
      y += vec4(vector_at(bias), vector_at(bias + 1u), vector_at(bias + 2u), vector_at(bias + 3u));
    }
    s += weight_of(at.x, i) * y;
  }
  result = floatBitsToUint(before() + p.scale * s);
}
