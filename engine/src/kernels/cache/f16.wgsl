// Keys and values in halves.
@group(0) @binding(4) var<storage, read> keys: array<u32>;
@group(0) @binding(5) var<storage, read> values: array<u32>;
var<workgroup> query: array<vec2<f32>, CODE_WORDS>;
fn load_query(base: u32, t: u32) {
  for (var i = t; i < CODE_WORDS; i += WG) {
    query[i] = vec2<f32>(q[base + 2u * i], select(0.0, q[base + 2u * i + 1u], 2u * i + 1u < HEAD));
  }
}
fn key_dot(cell: u32) -> f32 {
  var s = 0.0;
  for (var i = 0u; i < CODE_WORDS; i++) { s += dot(query[i], unpack2x16float(keys[cell * CODE_WORDS + i])); }
  return s;
}
fn value_at(cell: u32, i: u32) -> f32 {
  return unpack2x16float(values[cell * CODE_WORDS + i / 2u])[i & 1u];
}
