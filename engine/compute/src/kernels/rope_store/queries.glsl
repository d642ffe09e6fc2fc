// q[t] = rotate(norm(q of qkv[t])).
void main() {
  uvec2 at = place(p.out_offset, p.out_stride);
  if (at.x >= state.tokens || at.y >= p.heads * HEAD) { discard; }
  uint position = words_at(tokens, at.x).y;
  float warmth = 1.0;
  if (p.temperature != 0.0) { warmth += p.temperature * log(float(position / p.original_tokens) + 1.0); }
  vec4 q = vec4(0.0);
  uint head = at.y / HEAD;
  Head h = head_of(at.x, 0u, head, position);
  for (uint j = 0u; j < 4u; j++) {
    uint i = at.y + j;
    if (i >= p.heads * HEAD) { break; }
    // Heads of an odd number of pairs share words of four.
    if (i / HEAD != head) {
      head = i / HEAD;
      h = head_of(at.x, 0u, head, position);
    }
    q[j] = warmth * turned(h, i % HEAD);
  }
  result = floatBitsToUint(q);
}
