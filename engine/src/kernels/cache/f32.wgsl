// Keys and values as computed, heads of any length.
@group(0) @binding(4) var<storage, read> keys: array<f32>;
@group(0) @binding(5) var<storage, read> values: array<f32>;
var<workgroup> query: array<f32, HEAD>;
fn load_query(base: u32, t: u32) {
  for (var i = t; i < HEAD; i += WG) { query[i] = q[base + i]; }
}
fn key_dot(cell: u32) -> f32 {
  var s = 0.0;
  for (var i = 0u; i < HEAD; i++) { s += query[i] * keys[cell * HEAD + i]; }
  return s;
}
fn value_at(cell: u32, i: u32) -> f32 { return values[cell * HEAD + i]; }
