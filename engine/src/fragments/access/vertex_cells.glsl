// Two triangles for each run of words of a token's cells: the words of a token wrap at the end of a line, so an instance is
// the first or the second line of its codes (0, 1) or of its scales (2, 3).
precision highp float;
precision highp int;
precision highp usampler2D;
const uint LINE = 1u << LINE_BITS;
uniform usampler2D tokens;
uniform usampler2D pages;
uniform vec2 size;  // of the viewport, which is the texture
uniform uint first_scale;
flat out uint token;
uint page_of(uint i) { return texelFetch(pages, ivec2(int((i >> 2u) & (LINE - 1u)), int(i >> (2u + LINE_BITS))), 0)[i & 3u]; }
void main() {
  token = uint(gl_InstanceID) / RUNS;
  uint run = uint(gl_InstanceID) % RUNS;
  uvec4 record = texelFetch(tokens, ivec2(int(token & (LINE - 1u)), int(token >> LINE_BITS)), 0);
  uint spot = page_of(record.z + record.y / PAGE) * PAGE + record.y % PAGE;
  uint words = run < 2u ? CELLS * CODE_WORDS : SCALE_ROW;
  uint first = (run < 2u ? 0u : first_scale) / 4u + spot * (words / 4u);
  uint end = first + words / 4u;
  uint line = (first >> LINE_BITS) + (run & 1u);
  uint x0 = max(first, line << LINE_BITS) - (line << LINE_BITS);
  uint x1 = min(max(end, line << LINE_BITS), (line + 1u) << LINE_BITS) - (line << LINE_BITS);
  uvec2 corner = uvec2((gl_VertexID & 1) == 0 ? x0 : x1, line + uint(gl_VertexID >> 1));
  gl_Position = vec4(vec2(corner) / size * 2.0 - 1.0, 0.0, 1.0);
}
