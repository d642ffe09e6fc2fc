// Keys and values in blocks of 32 codes and a scale. A format's own part has fours(word, i): values 4 i to 4 i + 3 of
// a code word, unscaled.
@group(0) @binding(4) var<storage, read> keys: array<u32>;
@group(0) @binding(5) var<storage, read> values: array<u32>;
const FOURS = PER_WORD / 4u;
var<workgroup> query: array<vec4<f32>, CODE_WORDS * FOURS>;
fn load_query(base: u32, t: u32) {
  for (var i = t; i < CODE_WORDS * FOURS; i += WG) {
    var v = vec4<f32>(0.0);
    for (var j = 0u; j < 4u; j++) { if (4u * i + j < HEAD) { v[j] = q[base + 4u * i + j]; } }
    query[i] = v;
  }
}
fn key_dot(cell: u32) -> f32 {
  var s = 0.0;
  for (var first = 0u; first < CODE_WORDS; first += 32u / PER_WORD) {
    var sum = 0.0;
    for (var w = first; w < min(first + 32u / PER_WORD, CODE_WORDS); w++) {
      let word = keys[cell * CODE_WORDS + w];
      for (var i = 0u; i < FOURS; i++) { sum += dot(query[w * FOURS + i], fours(word, i)); }
    }
    let block = first * PER_WORD / 32u;
    s += sum * unpack2x16float(keys[p.scales + cell * SCALE_WORDS + block / 2u])[block & 1u];
  }
  return s;
}
fn value_at(cell: u32, i: u32) -> f32 {
  let code = fours(values[cell * CODE_WORDS + i / PER_WORD], i / 4u % FOURS)[i & 3u];
  let block = i / 32u;
  return code * unpack2x16float(values[p.scales + cell * SCALE_WORDS + block / 2u])[block & 1u];
}
