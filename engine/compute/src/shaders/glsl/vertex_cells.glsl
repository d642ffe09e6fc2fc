// Two triangles for each run of words of a token's cells, over the blocks of texels that the run lies in: those of a strip of
// four lines follow each other, so an instance is the first or the second strip of its codes (0, 1) or of its scales (2, 3).
precision highp float;
precision highp int;
precision highp usampler2D;
const uint LINE = 1u << LINE_BITS;
uniform usampler2D tokens;
uniform usampler2D pages;
uniform vec2 size;  // of the viewport, which is the texture
uniform uint first_scale;
flat out uint token;
ivec2 spot_of(uint i) {
  uint x = ((i >> 2u) & (LINE - 8u)) | (i & 7u);
  return ivec2(int(x), int(((i >> (LINE_BITS + 2u)) << 2u) | ((i >> 3u) & 3u)));
}
uint page_of(uint i) { return texelFetch(pages, spot_of(i >> 2u), 0)[i & 3u]; }
void main() {
  token = uint(gl_InstanceID) / RUNS;
  uint run = uint(gl_InstanceID) % RUNS;
  uvec4 record = texelFetch(tokens, spot_of(token), 0);
  uint spot = page_of(record.z + record.y / PAGE) * PAGE + record.y % PAGE;
  uint words = run < 2u ? CELLS * CODE_WORDS : SCALE_ROW;
  uint first = (run < 2u ? 0u : first_scale) / 4u + spot * (words / 4u);
  // In blocks of 32 texels, LINE / 8 a strip.
  uint begin = first >> 5u;
  uint end = (first + words / 4u + 31u) >> 5u;
  uint strip_bits = LINE_BITS - 3u;
  uint strip = (begin >> strip_bits) + (run & 1u);
  uint from = strip << strip_bits;
  uint x0 = max(begin, from) - from;
  uint x1 = min(max(end, from), from + (1u << strip_bits)) - from;
  uvec2 corner = uvec2(8u * ((gl_VertexID & 1) == 0 ? x0 : x1), 4u * (strip + uint(gl_VertexID >> 1)));
  gl_Position = vec4(vec2(corner) / size * 2.0 - 1.0, 0.0, 1.0);
}
