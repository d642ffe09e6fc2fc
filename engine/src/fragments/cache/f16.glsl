vec4 cell_four(usampler2D pool, uint cell, uint i) {
  uint at = cell * CODE_WORDS + 2u * i;
  vec2 rest = 2u * i + 1u < CODE_WORDS ? unpackHalf2x16(word_at(pool, at + 1u)) : vec2(0.0);
  return vec4(unpackHalf2x16(word_at(pool, at)), rest);
}
