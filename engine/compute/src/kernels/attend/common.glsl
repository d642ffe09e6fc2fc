// As in common.wgsl of the compute kernels.
const uint FOURS = (HEAD + 3u) / 4u;
// The positions that a token sees: from x up to, but without, y.
uvec2 seen_by(uvec4 token) {
  uvec2 seen = uvec2(0u, p.causal != 0u ? token.y + 1u : token.w);
  if (p.window != 0u) {
    seen.x = max(token.y + p.causal, p.window) - p.window;
    seen.y = min(seen.y, token.y + p.window + 1u);
  }
  return seen;
}
// The cell of the first head of keys at a position.
uint cells_at(uvec4 token, uint position) {
  return (word_at(pages, token.z + position / PAGE) * PAGE + position % PAGE) * CELLS;
}
bvec4 visible(uint position, uvec2 seen) {
  uvec4 each = uvec4(position) + uvec4(0u, 1u, 2u, 3u);
  bvec4 begun = greaterThanEqual(each, uvec4(seen.x));
  bvec4 open = lessThan(each, uvec4(seen.y));
  return bvec4(begun.x && open.x, begun.y && open.y, begun.z && open.z, begun.w && open.w);
}
