// out[t] (+)= scale * table[index(t)].   INDEX 0: the token's id, 1: its position, 2: row 0.
void main() {
  uint origin = p.out_offset % p.out_stride;
  uvec2 at = place(p.out_offset - origin, p.out_stride);
  uint c = at.y - origin;
  uint row = 0u;
  if (at.x < state.tokens) {
    uvec4 token = words_at(tokens, at.x);
    if (INDEX == 0) { row = token.x; }
    if (INDEX == 1) { row = token.y; }
  }
  if (at.x >= state.tokens || at.y < origin || c >= p.cols || row < p.first || row >= p.first + p.rows) {
    keep();
    return;
  }
  mat4 m = decode16_(row - p.first, c >> 4u);
  result = floatBitsToUint(before() + p.scale * m[(c >> 2u) & 3u]);
}
