// IQ3_S: a unit is a word of codes, a nibble of high bits, half a word of signs; two units share a nibble of scale.
fn four(code: u32, high: u32, signs: u32) -> vec4<f32> {
  let entry = codeword((code & 255u) | ((high & 1u) << 8u));
  return signs4(signs) * vec4<f32>(1u + 2u * ((vec4<u32>(entry) >> vec4<u32>(0u, 4u, 8u, 12u)) & vec4<u32>(15u)));
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let block = unit >> 4u;
  let within = unit & 15u;
  let q = word(plane1(0u, row) + unit);
  let s = word(plane1(1u, row) + (unit >> 1u)) >> (16u * (unit & 1u));
  let more = plane1(2u, row) + 3u * block;
  let h = word(more + (within >> 3u)) >> (4u * (within & 7u));
  let scale = (word(more + 2u) >> (4u * (within >> 1u))) & 15u;
  let d = half_at(3u, row, block) * (1.0 + 2.0 * f32(scale));
  return mat4x4<f32>(
    d * four(q, h, s), d * four(q >> 8u, h >> 1u, s >> 4u),
    d * four(q >> 16u, h >> 2u, s >> 8u), d * four(q >> 24u, h >> 3u, s >> 12u));
}
