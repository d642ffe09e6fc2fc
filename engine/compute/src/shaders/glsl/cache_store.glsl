//# f32
// Word i of a cell: the value itself.
uint cell_word(Head h, uint i) { return floatBitsToUint(turned(h, i)); }
//# f16
// Word i of a cell: two halves.
uint cell_word(Head h, uint i) {
  return packHalf2x16(clamp(vec2(turned(h, 2u * i), 2u * i + 1u < HEAD ? turned(h, 2u * i + 1u) : 0.0), -65504.0, 65504.0));
}
//# blocks
// Word i of a cell in blocks of 32: codes, then scales. A format's own part has scale_of(largest), where `largest` is the
// value of the largest magnitude in the block, and code(v), of a value divided by the scale.
float block_scale(Head h, uint block) {
  float largest = 0.0;
  for (uint i = 32u * block; i < min(32u * block + 32u, HEAD); i++) {
    float v = turned(h, i);
    if (abs(v) > abs(largest)) { largest = v; }
  }
  return scale_of(largest);
}
uint cell_word(Head h, uint i) {
  if (i >= CODE_WORDS) {
    uint block = 2u * (i - CODE_WORDS);
    return packHalf2x16(vec2(block_scale(h, block), block_scale(h, block + 1u)));
  }
  float scale = block_scale(h, i * PER_WORD / 32u);
  float inverse = scale != 0.0 ? 1.0 / scale : 0.0;
  uint word = 0u;
  for (uint j = 0u; j < PER_WORD; j++) {
    uint at = i * PER_WORD + j;
    word |= code((at < HEAD ? turned(h, at) : 0.0) * inverse) << (32u / PER_WORD * j);
  }
  return word;
}
//# q8_0
float scale_of(float largest) { return abs(largest) / 127.0; }
uint code(float v) { return uint(int(floor(abs(v) + 0.5) * sign(v))) & 255u; }
//# q4_0
float scale_of(float largest) { return largest / -8.0; }
uint code(float v) { return min(15u, uint(v + 8.5)); }
