// Keys and values in halves.
@group(0) @binding(5) var<storage, read> keys: array<u32>;
@group(0) @binding(6) var<storage, read> values: array<u32>;
fn key_four(cell: u32, i: u32) -> vec4<f32> {
  let at = cell * CODE_WORDS + 2u * i;
  let v = vec4<f32>(unpack2x16float(keys[at]), 0.0, 0.0);
  if (2u * i + 1u >= CODE_WORDS) { return v; }
  return vec4<f32>(v.xy, unpack2x16float(keys[at + 1u]));
}
fn value_four(cell: u32, i: u32) -> vec4<f32> {
  let at = cell * CODE_WORDS + 2u * i;
  let v = vec4<f32>(unpack2x16float(values[at]), 0.0, 0.0);
  if (2u * i + 1u >= CODE_WORDS) { return v; }
  return vec4<f32>(v.xy, unpack2x16float(values[at + 1u]));
}
