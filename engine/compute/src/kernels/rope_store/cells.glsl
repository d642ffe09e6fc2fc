// Keys (rotated, normed) and values of the slice's tokens, to their cells of the KV cache. The words of a token's cells,
// codes and scales, are two runs; `token` is that of the run.
flat in uint token;
layout(location = 1) out uvec4 value_words;
uint cell_word(Head h, uint i);
void main() {
  uvec4 record = words_at(tokens, token);
  uint spot = word_at(pages, record.z + record.y / PAGE) * PAGE + record.y % PAGE;
  uint i = 4u * here();
  bool is_scale = i >= p.scales;
  uint first = is_scale ? p.scales + spot * SCALE_ROW : spot * CELLS * CODE_WORDS;
  // Blocks of texels hold words of other tokens too.
  if (i < first || i >= first + (is_scale ? SCALE_ROW : CELLS * CODE_WORDS)) { discard; }
  uint words = is_scale ? SCALE_WORDS : CODE_WORDS;
  uvec4 k = uvec4(0u);
  uvec4 v = uvec4(0u);
  uint head = 0xffffffffu;
  Head key;
  Head value;
  for (uint j = 0u; j < 4u; j++) {
    uint word = i + j - first;
    if (word / words >= p.kv_heads) { break; }
    if (word / words != head) {
      head = word / words;
      key = head_of(token, 1u, head, record.y);
      value = head_of(token, 2u, head, record.y);
    }
    uint at = word % words + (is_scale ? CODE_WORDS : 0u);
    k[j] = cell_word(key, at);
    v[j] = cell_word(value, at);
  }
  result = k;
  value_words = v;
}
