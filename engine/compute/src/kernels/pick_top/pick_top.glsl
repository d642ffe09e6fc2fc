// chosen[r] = the id of the largest candidate of output row r, the first among equals: four rows a fragment.
uniform usampler2D candidates;
uint top_of(uint row) {
  if (row >= state.out_rows) { return 0u; }
  uvec2 top = uvec2(0u);
  for (uint i = row * p.chunks; i < (row + 1u) * p.chunks; i++) {
    uvec4 two = words_at(candidates, i / 2u);
    uvec2 other = (i & 1u) == 0u ? two.xy : two.zw;
    if (other.x > top.x || i == row * p.chunks) { top = other; }
  }
  return top.y;
}
void main() {
  uint r = 4u * here();
  result = uvec4(top_of(r), top_of(r + 1u), top_of(r + 2u), top_of(r + 3u));
}
