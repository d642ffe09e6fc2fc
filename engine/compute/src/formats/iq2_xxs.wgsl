// IQ2_XXS: a group is two words; a unit is two bytes of the first and two sets of seven signs of the second.
fn four(entry: u32, signs: u32) -> vec4<f32> {
  let c = (vec4<u32>(entry) >> vec4<u32>(0u, 2u, 4u, 6u)) & vec4<u32>(3u);
  return signs4(signs) * vec4<f32>(8u + 17u * c + (c >> vec4<u32>(1u)));
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let at = plane1(0u, row) + 2u * (unit >> 1u);
  let odd = unit & 1u;
  let codes = word(at) >> (16u * odd);
  let group = word(at + 1u);
  let d = half_at(1u, row, unit >> 4u) * (0.125 + 0.25 * f32(group >> 28u));
  let a = codeword(codes & 255u);
  let b = codeword((codes >> 8u) & 255u);
  let s = even_signs(group >> (14u * odd));
  let t = even_signs(group >> (14u * odd + 7u));
  return mat4x4<f32>(d * four(a, s), d * four(a >> 8u, s >> 4u), d * four(b, t), d * four(b >> 8u, t >> 4u));
}
