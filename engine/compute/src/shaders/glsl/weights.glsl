// What the decode of a format reads through: a shard of a weight. The names are those that the translation gives.
uniform usampler2D weights;
uvec4 word4_(uint i) { return line_words_at(weights, i); }
uint word(uint i) { return word_of(line_words_at(weights, i >> 2u), i); }
uint plane1_(uint plane, uint row) { return p.plane_base[plane] + row * p.plane_stride[plane]; }
uint plane4_(uint plane, uint row) { return plane1_(plane, row) >> 2u; }
float half_at(uint plane, uint row, uint i) {
  vec2 pair = unpackHalf2x16(word(plane1_(plane, row) + (i >> 1u)));
  return (i & 1u) == 1u ? pair.y : pair.x;
}
uint codeword(uint i) { return (word(p.codebook + (i >> 1u)) >> (16u * (i & 1u))) & 0xffffu; }
// Missing in GLSL ES 3.00.
vec4 pick(vec4 a, vec4 b, bvec4 c) { return mix(a, b, c); }
uvec2 pick(uvec2 a, uvec2 b, bvec2 c) { return uvec2(c.x ? b.x : a.x, c.y ? b.y : a.y); }
uvec4 pick(uvec4 a, uvec4 b, bvec4 c) { return uvec4(pick(a.xy, b.xy, c.xy), pick(a.zw, b.zw, c.zw)); }
int bitCount(uint v) {
  uint pairs = v - ((v >> 1u) & 0x55555555u);
  uint fours = (pairs & 0x33333333u) + ((pairs >> 2u) & 0x33333333u);
  return int((((fours + (fours >> 4u)) & 0x0f0f0f0fu) * 0x01010101u) >> 24u);
}
int bitfieldExtract(int v, int from, int count) { return (v << (32 - from - count)) >> (32 - count); }
