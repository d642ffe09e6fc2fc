// IQ2_XS: a unit is a group: one word with two codewords' numbers and signs, one nibble of scale.
fn four(entry: u32, signs: u32) -> vec4<f32> {
  let c = (vec4<u32>(entry) >> vec4<u32>(0u, 2u, 4u, 6u)) & vec4<u32>(3u);
  return signs4(signs) * vec4<f32>(8u + 17u * c + (c >> vec4<u32>(1u)));
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let codes = word(plane1(0u, row) + unit);
  let scale = (word(plane1(1u, row) + (unit >> 3u)) >> (4u * (unit & 7u))) & 15u;
  let d = half_at(2u, row, unit >> 4u) * (0.125 + 0.25 * f32(scale));
  let a = codeword(codes & 511u);
  let b = codeword((codes >> 16u) & 511u);
  let s = even_signs(codes >> 9u);
  let t = even_signs(codes >> 25u);
  return mat4x4<f32>(d * four(a, s), d * four(a >> 8u, s >> 4u), d * four(b, t), d * four(b >> 8u, t >> 4u));
}
