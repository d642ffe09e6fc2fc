// Keys and values as computed, heads of any even length. key_four(cell, i): values 4 i to 4 i + 3, zero behind the end.
@group(0) @binding(5) var<storage, read> keys: array<f32>;
@group(0) @binding(6) var<storage, read> values: array<f32>;
fn key_four(cell: u32, i: u32) -> vec4<f32> {
  let at = cell * HEAD + 4u * i;
  let v = vec4<f32>(keys[at], keys[at + 1u], 0.0, 0.0);
  if (4u * i + 2u >= HEAD) { return v; }
  return vec4<f32>(v.xy, keys[at + 2u], keys[at + 3u]);
}
fn value_four(cell: u32, i: u32) -> vec4<f32> {
  let at = cell * HEAD + 4u * i;
  let v = vec4<f32>(values[at], values[at + 1u], 0.0, 0.0);
  if (4u * i + 2u >= HEAD) { return v; }
  return vec4<f32>(v.xy, values[at + 2u], values[at + 3u]);
}
