// Keys and values as computed, heads of a multiple of four values.
@group(0) @binding(4) var<storage, read> keys: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> values: array<f32>;
var<workgroup> query: array<vec4<f32>, HEAD / 4u>;
fn load_query(base: u32, t: u32) {
  for (var i = t; i < HEAD / 4u; i += WG) {
    let at = base + 4u * i;
    query[i] = vec4<f32>(q[at], q[at + 1u], q[at + 2u], q[at + 3u]);
  }
}
fn key_dot(cell: u32) -> f32 {
  var s = 0.0;
  for (var i = 0u; i < HEAD / 4u; i++) { s += dot(query[i], keys[cell * (HEAD / 4u) + i]); }
  return s;
}
fn value_at(cell: u32, i: u32) -> f32 { return values[cell * HEAD + i]; }
