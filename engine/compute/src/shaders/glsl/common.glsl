// What every draw sees. All textures hold 32-bit words, four a texel, LINE texels a line: values as their bits, so that no
// device needs an extension to keep them. A fragment makes four words. Texels that follow each other fill blocks of 8 x 4,
// block after block: GPUs draw two lines at a time, and emulated ones give lines to different cores. Weights, which are
// never drawn to, lie line after line.
precision highp float;
precision highp int;
precision highp usampler2D;
const uint LINE = 1u << LINE_BITS;
layout(location = 0) out uvec4 result;
ivec2 spot_of(uint i) {
  uint x = ((i >> 2u) & (LINE - 8u)) | (i & 7u);
  return ivec2(int(x), int(((i >> (LINE_BITS + 2u)) << 2u) | ((i >> 3u) & 3u)));
}
uvec4 words_at(usampler2D b, uint i) { return texelFetch(b, spot_of(i), 0); }
uvec4 line_words_at(usampler2D b, uint i) { return texelFetch(b, ivec2(int(i & (LINE - 1u)), int(i >> LINE_BITS)), 0); }
vec4 four_at(usampler2D b, uint i) { return uintBitsToFloat(words_at(b, i)); }
// An index that varies would send the words to memory.
uint word_of(uvec4 four, uint i) {
  uvec2 two = (i & 2u) == 0u ? four.xy : four.zw;
  return (i & 1u) == 0u ? two.x : two.y;
}
uint word_at(usampler2D b, uint i) { return word_of(words_at(b, i >> 2u), i); }
float value_at(usampler2D b, uint i) { return uintBitsToFloat(word_at(b, i)); }
// Where the four words lie in the texture that is drawn to: an index like those above.
uint here() {
  uint x = uint(gl_FragCoord.x);
  uint y = uint(gl_FragCoord.y);
  return ((y >> 2u) << (LINE_BITS + 2u)) | ((x >> 3u) << 5u) | ((y & 3u) << 3u) | (x & 7u);
}
// Row and column of the first word, in rows of `stride` words that begin with column 0 at `offset`. Words before the rows
// have no row.
uvec2 place(uint offset, uint stride) {
  uint i = 4u * here();
  if (i < offset) { return uvec2(0xffffffffu, 0u); }
  return uvec2((i - offset) / stride, (i - offset) % stride);
}
