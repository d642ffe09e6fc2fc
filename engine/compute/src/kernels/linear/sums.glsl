// Four rows of a shard times four tokens, so that a weight is decoded once for all of them: token 4 i + k to row i of
// texture k, rows of `lanes` words.
layout(location = 1) out uvec4 second;
layout(location = 2) out uvec4 third;
layout(location = 3) out uvec4 fourth;
void main() {
  uvec2 at = place(0u, p.lanes);
  uint t = 4u * at.x;
  if (t >= state.tokens) { discard; }
  uvec4 r = min(uvec4(at.y) + uvec4(0u, 1u, 2u, 3u), uvec4(ROWS - 1u));
  uvec4 tokens = min(uvec4(t) + uvec4(0u, 1u, 2u, 3u), uvec4(state.tokens - 1u));
  uvec4 base = uvec4(p.in_offset) + tokens * p.in_stride;
  vec4 y0 = vec4(0.0);
  vec4 y1 = vec4(0.0);
  vec4 y2 = vec4(0.0);
  vec4 y3 = vec4(0.0);
  for (uint u = 0u; u < p.units; u++) {
    mat4 a = decode16_(r.x, u);
    mat4 b = decode16_(r.y, u);
    mat4 c = decode16_(r.z, u);
    mat4 d = decode16_(r.w, u);
    mat4 x = unit_at(base.x, u);
    y0 += vec4(unit_dot(a, x), unit_dot(b, x), unit_dot(c, x), unit_dot(d, x));
    x = unit_at(base.y, u);
    y1 += vec4(unit_dot(a, x), unit_dot(b, x), unit_dot(c, x), unit_dot(d, x));
    x = unit_at(base.z, u);
    y2 += vec4(unit_dot(a, x), unit_dot(b, x), unit_dot(c, x), unit_dot(d, x));
    x = unit_at(base.w, u);
    y3 += vec4(unit_dot(a, x), unit_dot(b, x), unit_dot(c, x), unit_dot(d, x));
  }
  result = floatBitsToUint(y0);
  second = floatBitsToUint(y1);
  third = floatBitsToUint(y2);
  fourth = floatBitsToUint(y3);
}
