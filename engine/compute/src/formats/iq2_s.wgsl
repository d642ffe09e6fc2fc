// IQ2_S: a unit is a group: two bytes of codes, two of signs, a nibble of high bits, a nibble of scale.
fn four(entry: u32, signs: u32) -> vec4<f32> {
  let c = (vec4<u32>(entry) >> vec4<u32>(0u, 2u, 4u, 6u)) & vec4<u32>(3u);
  return signs4(signs) * vec4<f32>(8u + 17u * c + (c >> vec4<u32>(1u)));
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 4u;
  let within = unit & 15u;
  let at = plane1(0u, row) + 16u * block + (within >> 1u);
  let low = word(at) >> (16u * (within & 1u));
  let s = word(at + 8u) >> (16u * (within & 1u));
  let t = s >> 8u;
  let more = plane1(1u, row) + 4u * block + (within >> 3u);
  let high = word(more) >> (4u * (within & 7u));
  let scale = (word(more + 2u) >> (4u * (within & 7u))) & 15u;
  let d = half_at(2u, row, block) * (0.125 + 0.25 * f32(scale));
  let a = codeword((low & 255u) | ((high & 3u) << 8u));
  let b = codeword(((low >> 8u) & 255u) | ((high & 12u) << 6u));
  return mat4x4<f32>(d * four(a, s), d * four(a >> 8u, s >> 4u), d * four(b, t), d * four(b >> 8u, t >> 4u));
}
