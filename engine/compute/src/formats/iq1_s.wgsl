// IQ1_S: a unit is two bytes of codes; two units share 16 bits of high bits, scale and shift.
fn four(entry: u32, shift: f32) -> vec4<f32> {
  return vec4<f32>((vec4<u32>(entry) >> vec4<u32>(0u, 2u, 4u, 6u)) & vec4<u32>(3u)) + vec4<f32>(shift);
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let low = word(plane1(0u, row) + (unit >> 1u)) >> (16u * (unit & 1u));
  let head = word(plane1(1u, row) + (unit >> 2u)) >> (16u * ((unit >> 1u) & 1u));
  let d = half_at(2u, row, unit >> 4u) * f32(2u * ((head >> 12u) & 7u) + 1u);
  let shift = select(-0.875, -1.125, (head & 0x8000u) != 0u);
  let high = head >> (6u * (unit & 1u));
  let a = codeword((low & 255u) | ((high & 7u) << 8u));
  let b = codeword(((low >> 8u) & 255u) | ((high & 56u) << 5u));
  return mat4x4<f32>(d * four(a, shift), d * four(a >> 8u, shift), d * four(b, shift), d * four(b >> 8u, shift));
}
