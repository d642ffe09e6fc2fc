// x[t] = 0.
void main() {
  uvec2 at = place(p.offset, p.stride);
  if (at.x >= state.tokens || at.y >= p.cols) { discard; }
  result = uvec4(0u);
}
