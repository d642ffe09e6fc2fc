//# f32
// Values 4 i to 4 i + 3 of a cell, zero behind its end.
vec4 cell_four(usampler2D pool, uint cell, uint i) {
  if (HEAD % 4u == 0u) { return four_at(pool, cell * (HEAD / 4u) + i); }
  uint at = cell * HEAD + 4u * i;
  vec2 rest = 4u * i + 2u < HEAD ? vec2(value_at(pool, at + 2u), value_at(pool, at + 3u)) : vec2(0.0);
  return vec4(value_at(pool, at), value_at(pool, at + 1u), rest);
}
//# f16
vec4 cell_four(usampler2D pool, uint cell, uint i) {
  uint at = cell * CODE_WORDS + 2u * i;
  vec2 rest = 2u * i + 1u < CODE_WORDS ? unpackHalf2x16(word_at(pool, at + 1u)) : vec2(0.0);
  return vec4(unpackHalf2x16(word_at(pool, at)), rest);
}
//# blocks
vec4 cell_four(usampler2D pool, uint cell, uint i) {
  vec2 scales = unpackHalf2x16(word_at(pool, p.scales + cell / CELLS * SCALE_ROW + cell % CELLS * SCALE_WORDS + i / 16u));
  uint word = word_at(pool, cell * CODE_WORDS + i / (PER_WORD / 4u));
  return ((i & 8u) != 0u ? scales.y : scales.x) * fours(word, i % (PER_WORD / 4u));
}
//# q8_0
vec4 fours(uint word, uint i) { return vec4((ivec4(int(word)) << uvec4(24u, 16u, 8u, 0u)) >> 24u); }
//# q4_0
vec4 fours(uint word, uint i) { return vec4((uvec4(word >> (16u * i)) >> uvec4(0u, 4u, 8u, 12u)) & 15u) - 8.0; }
