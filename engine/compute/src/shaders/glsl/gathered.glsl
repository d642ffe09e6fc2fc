// Products that kernel/sums.glsl has made: of token 4 i + k in row i of texture k.
uniform usampler2D sums0;
uniform usampler2D sums1;
uniform usampler2D sums2;
uniform usampler2D sums3;
float sum_at(uint k, uint at) {
  if (k == 0u) { return value_at(sums0, at); }
  if (k == 1u) { return value_at(sums1, at); }
  return k == 2u ? value_at(sums2, at) : value_at(sums3, at);
}
vec4 four_dots(uvec4 r, uint t) {
  uvec4 at = (t >> 2u) * p.lanes + r;
  uint k = t & 3u;
  return vec4(sum_at(k, at.x), sum_at(k, at.y), sum_at(k, at.z), sum_at(k, at.w));
}
