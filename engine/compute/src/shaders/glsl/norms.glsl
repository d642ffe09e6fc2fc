// Statistics of a row of `cols` values that begins at vec4 `base` of a texture. LAYER: around the mean.
vec4 inside(vec4 v, uint c, uint cols) {
  bvec4 is_inside = lessThan(uvec4(4u * c) + uvec4(0u, 1u, 2u, 3u), uvec4(cols));
  return vec4(is_inside.x ? v.x : 0.0, is_inside.y ? v.y : 0.0, is_inside.z ? v.z : 0.0, is_inside.w ? v.w : 0.0);
}
// Mean, and 1 / sqrt(mean square + eps).
vec2 statistics(usampler2D b, uint base, uint cols, float eps) {
  uint fours = (cols + 3u) / 4u;
  float mean = 0.0;
  if (LAYER) {
    for (uint c = 0u; c < fours; c++) { mean += dot(inside(four_at(b, base + c), c, cols), vec4(1.0)); }
    mean /= float(cols);
  }
  float squares = 0.0;
  for (uint c = 0u; c < fours; c++) {
    vec4 v = inside(four_at(b, base + c) - mean, c, cols);
    squares += dot(v, v);
  }
  return vec2(mean, 1.0 / sqrt(squares / float(cols) + eps));
}
