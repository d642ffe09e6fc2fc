// out[s] = the rows of sequence s made one.   HOW 0: their mean, 1: the first, 2: the last.
uniform usampler2D rows;
void main() {
  uvec2 at = place(p.out_offset, p.out_stride);
  if (at.x >= state.out_rows || at.y >= p.cols) { discard; }
  // A sequence begins behind the last one; an encoder's slices hold all of its tokens.
  uint first = 0u;
  for (uint i = 0u; i < at.x; i++) { first += words_at(tokens, first).w; }
  uint end = first + words_at(tokens, first).w;
  if (HOW == 1) { end = first + 1u; }
  if (HOW == 2) { first = end - 1u; }
  vec4 s = vec4(0.0);
  for (uint t = first; t < end; t++) { s += four_at(rows, (p.in_offset + t * p.in_stride + at.y) / 4u); }
  result = floatBitsToUint(s / float(end - first));
}
