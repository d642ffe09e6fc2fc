// tokens[r] = what was chosen for output row r, at the position behind, where the run goes on from it.
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
