// IQ3_XXS: a unit is a word of codes and two sets of seven signs.
fn four(code: u32, signs: u32) -> vec4<f32> {
  let c = (vec4<u32>(codeword(code & 255u)) >> vec4<u32>(0u, 4u, 8u, 12u)) & vec4<u32>(15u);
  return signs4(signs) * vec4<f32>(4u + 8u * c + 2u * (c / vec4<u32>(7u)));
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let codes = word(plane1(0u, row) + unit);
  let group = word(plane1(1u, row) + (unit >> 1u));
  let d = half_at(2u, row, unit >> 4u) * (0.25 + 0.5 * f32(group >> 28u));
  let s = even_signs(group >> (14u * (unit & 1u)));
  let t = even_signs(group >> (14u * (unit & 1u) + 7u));
  return mat4x4<f32>(
    d * four(codes, s), d * four(codes >> 8u, s >> 4u), d * four(codes >> 16u, t), d * four(codes >> 24u, t >> 4u));
}
