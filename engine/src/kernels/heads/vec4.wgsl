// Keys and queries whose heads are a multiple of four values: [pages, PAGE_TOKENS, kv_heads * HEAD] as vec4.
@group(0) @binding(4) var<storage, read> keys: array<vec4<f32>>;
var<workgroup> query: array<vec4<f32>, HEAD / 4u>;
fn load_query(base: u32, t: u32) {
  for (var i = t; i < HEAD / 4u; i += WG) {
    let at = base + 4u * i;
    query[i] = vec4<f32>(q[at], q[at + 1u], q[at + 2u], q[at + 3u]);
  }
}
fn key_dot(at: u32) -> f32 {
  var s = 0.0;
  for (var i = 0u; i < HEAD / 4u; i++) { s += dot(query[i], keys[at / 4u + i]); }
  return s;
}
