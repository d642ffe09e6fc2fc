// out[t] (+)= scale * norm(input[t]), part by part.
uniform usampler2D vectors;
uniform usampler2D inputs;
void main() {
  uint origin = p.out_offset % p.out_stride;
  uvec2 at = place(p.out_offset - origin, p.out_stride);
  uint t = at.x;
  uint c = at.y - origin;
  uint rows = p.from_outputs == 1u ? state.out_rows : state.tokens;
  if (t >= rows || at.y < origin || c >= p.parts * p.cols) {
    keep();
    return;
  }
  uint base = p.in_offset + (t + (p.from_outputs == 1u ? state.out_first : 0u)) * p.in_stride + c / p.cols * (p.cols / 4u);
  uint within = c % p.cols;
  vec2 s = statistics(inputs, base, p.cols, p.eps);
  vec4 y = (four_at(inputs, base + within / 4u) - s.x) * s.y * four_at(vectors, (p.norm_weight + within) / 4u);
  if (HAS_NORM_BIAS) { y += four_at(vectors, (p.norm_bias + within) / 4u); }
  result = floatBitsToUint(before() + inside(p.scale * y, within / 4u, p.cols));
}
