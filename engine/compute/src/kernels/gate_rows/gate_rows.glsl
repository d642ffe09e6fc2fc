// x[t] *= sigmoid(by[t][0]).
uniform usampler2D by;
void main() {
  uint origin = p.offset % p.stride;
  uvec2 at = place(p.offset - origin, p.stride);
  if (at.x >= state.tokens || at.y < origin || at.y - origin >= p.cols) {
    keep();
    return;
  }
  result = floatBitsToUint(before() / (1.0 + exp(min(-value_at(by, p.by_offset + at.x * p.by_stride), 80.0))));
}
