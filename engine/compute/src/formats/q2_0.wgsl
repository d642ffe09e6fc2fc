// Q2_0: a unit is a word of bit pairs.
fn four(d: f32, codes: u32) -> vec4<f32> {
  return d * vec4<f32>((vec4<u32>(codes) >> vec4<u32>(0u, 2u, 4u, 6u)) & vec4<u32>(3u)) - vec4<f32>(d);
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let codes = word(plane1(0u, row) + unit);
  let d = half_at(1u, row, unit >> 2u);
  return mat4x4<f32>(four(d, codes), four(d, codes >> 8u), four(d, codes >> 16u), four(d, codes >> 24u));
}
