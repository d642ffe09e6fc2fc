// Products of rows of a weight with rows of the inputs.
uniform usampler2D inputs;
uint input_row(uint t) { return p.in_offset + (t + (p.from_outputs == 1u ? state.out_first : 0u)) * p.in_stride; }
mat4 unit_at(uint base, uint unit) {
  uint c = base + 4u * unit;
  return mat4(four_at(inputs, c), four_at(inputs, c + 1u), four_at(inputs, c + 2u), four_at(inputs, c + 3u));
}
float unit_dot(mat4 w, mat4 x) { return dot(w[0], x[0]) + dot(w[1], x[1]) + dot(w[2], x[2]) + dot(w[3], x[3]); }
// Four rows of the shard times the input row at `base`.
vec4 dots_at(uvec4 r, uint base) {
  vec4 y = vec4(0.0);
  for (uint u = 0u; u < p.units; u++) {
    mat4 x = unit_at(base, u);
    y += vec4(
      unit_dot(decode16_(r.x, u), x), unit_dot(decode16_(r.y, u), x),
      unit_dot(decode16_(r.z, u), x), unit_dot(decode16_(r.w, u), x));
  }
  return y;
}
vec4 four_dots(uvec4 r, uint t) { return dots_at(r, input_row(t)); }
