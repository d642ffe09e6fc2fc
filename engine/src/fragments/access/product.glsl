// Products of rows of a weight with a vector of the inputs.
uniform usampler2D vectors;
uniform usampler2D inputs;
float vector_at(uint i) { return value_at(vectors, i); }
uint input_row(uint t) { return p.in_offset + (t + (p.from_outputs == 1u ? state.out_first : 0u)) * p.in_stride; }
uint row_count() { return p.from_outputs == 1u ? state.out_rows : state.tokens; }
float unit_dot(uint row, uint unit, mat4 x) {
  mat4 w = decode16_(row, unit);
  return dot(w[0], x[0]) + dot(w[1], x[1]) + dot(w[2], x[2]) + dot(w[3], x[3]);
}
mat4 unit_at(uint base, uint unit) {
  uint c = base + 4u * unit;
  return mat4(four_at(inputs, c), four_at(inputs, c + 1u), four_at(inputs, c + 2u), four_at(inputs, c + 3u));
}
// Four rows of the shard times the input row at `base`.
vec4 four_dots(uvec4 r, uint base) {
  vec4 y = vec4(0.0);
  for (uint u = 0u; u < p.units; u++) {
    mat4 x = unit_at(base, u);
    y += vec4(unit_dot(r.x, u, x), unit_dot(r.y, u, x), unit_dot(r.z, u, x), unit_dot(r.w, u, x));
  }
  return y;
}
