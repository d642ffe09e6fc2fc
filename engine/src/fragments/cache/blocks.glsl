vec4 cell_four(usampler2D pool, uint cell, uint i) {
  vec2 scales = unpackHalf2x16(word_at(pool, p.scales + cell / CELLS * SCALE_ROW + cell % CELLS * SCALE_WORDS + i / 16u));
  uint word = word_at(pool, cell * CODE_WORDS + i / (PER_WORD / 4u));
  return ((i & 8u) != 0u ? scales.y : scales.x) * fours(word, i % (PER_WORD / 4u));
}
