// tokens[r] = what was chosen for output row r, at the position behind, where the run goes on from it.
layout(std140) uniform Params { uint chunks, pad0, pad1, pad2; } p;
uniform usampler2D chosen;
void main() {
  uint r = here();
  if (state.feed == 0u || r >= state.out_rows) {
    keep();
    return;
  }
  uvec4 token = words_at(old, state.out_first + r);
  result = uvec4(word_at(chosen, r), token.y + 1u, token.z, token.w + 1u);
}
