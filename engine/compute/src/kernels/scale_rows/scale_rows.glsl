// x[t] *= vectors[by].
uniform usampler2D vectors;
void main() {
  uint origin = p.offset % p.stride;
  uvec2 at = place(p.offset - origin, p.stride);
  if (at.x >= state.tokens || at.y < origin || at.y - origin >= p.cols) {
    keep();
    return;
  }
  result = floatBitsToUint(before() * value_at(vectors, p.by));
}
