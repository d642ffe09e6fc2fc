// candidates[r][chunk] = key and id of the largest logit of a chunk of output row r, the lowest id among equals: two chunks
// a fragment.
uniform usampler2D logits;
// Numbers that are ordered like the values. None has key 0.
uint key_of(float v) {
  uint bits = floatBitsToUint(v);
  return (bits >> 31u) == 1u ? ~bits : bits | 0x80000000u;
}
uvec2 top_of(uint row, uint chunk) {
  uvec2 top = uvec2(0u);
  for (uint id = chunk * CHUNK; id < min(chunk * CHUNK + CHUNK, p.cols); id += 4u) {
    vec4 v = four_at(logits, (p.in_offset + row * p.in_stride + id) / 4u);
    for (uint i = 0u; i < 4u; i++) {
      uint key = key_of(v[i]);
      if (id + i < p.cols && key > top.x) { top = uvec2(key, id + i); }
    }
  }
  return top;
}
uvec2 candidate(uint i) { return i < state.out_rows * p.chunks ? top_of(i / p.chunks, i % p.chunks) : uvec2(0u); }
void main() {
  uint i = 2u * here();
  result = uvec4(candidate(i), candidate(i + 1u));
}
