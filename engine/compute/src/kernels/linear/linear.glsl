// out[t, r] = epilogue(scale * (sum_k W[r, k] * x[t, k] + bias[r] + delta[t, r])).   EPILOGUE 0: act(y), 1: +=, 2: gated,
// 3: cap * tanh(y / cap), 4: out * act(y).
vec4 with_bias(uint t, uvec4 row, vec4 y) {
  for (uint i = 0u; i < 4u; i++) {
    if (HAS_DELTA) { y[i] += delta_at(t, row[i]); }
    if (HAS_BIAS) { y[i] += vector_at(p.bias + row[i]); }
  }
  return y;
}
// Words beside the rows of the shard stay as they are, where a twin is drawn, or become zero.
void put(ivec4 row, vec4 y) {
  vec4 rest = before();
  for (uint i = 0u; i < 4u; i++) {
    if (row[i] < 0 || row[i] >= int(p.rows)) { y[i] = rest[i]; }
  }
  result = floatBitsToUint(y);
}
void main() {
  uint origin = p.out_offset % p.out_stride;
  uvec2 at = place(p.out_offset - origin, p.out_stride);
  uint t = at.x;
  // Rows of the shard: outputs need not begin with a texel.
  ivec4 row = ivec4(int(at.y) - int(origin + p.first)) + ivec4(0, 1, 2, 3);
  if (t >= row_count() || row.w < 0 || row.x >= int(p.rows)) {
    keep();
    return;
  }
  uvec4 r = uvec4(clamp(row, ivec4(0), ivec4(int(p.rows) - 1)));
  vec4 y = with_bias(t, p.first + r, four_dots(r, t));
  if (EPILOGUE == 2) {
    vec4 up = with_bias(t, p.outputs + p.first + r, four_dots(p.rows + r, t));
    put(row, gated(y, up));
    return;
  }
  y *= p.scale * (p.by_factor == 1u ? state.factor : 1.0);
  if (EPILOGUE == 0) { y = act(y); }
  if (EPILOGUE == 1) { y += before(); }
  if (EPILOGUE == 3) { y = p.cap * tanh(clamp(y / p.cap, -15.0, 15.0)); }
  if (EPILOGUE == 4) { y = before() * act(y); }
  put(row, y);
}
