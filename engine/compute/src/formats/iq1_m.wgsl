// IQ1_M: a unit is a group: two bytes of codes, one of high bits and shifts, three bits of scale.
fn four(entry: u32, shift: f32) -> vec4<f32> {
  return vec4<f32>((vec4<u32>(entry) >> vec4<u32>(0u, 2u, 4u, 6u)) & vec4<u32>(3u)) + vec4<f32>(shift);
}
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let low = word(plane1(0u, row) + (unit >> 1u)) >> (16u * (unit & 1u));
  let high = word(plane1(1u, row) + (unit >> 2u)) >> (8u * (unit & 3u));
  let at = plane1(2u, row) + 2u * (unit >> 4u);
  let s = vec2<u32>(word(at), word(at + 1u));
  let half = ((s.x >> 12u) & 15u) | ((s.x >> 24u) & 0xf0u) | ((s.y >> 4u) & 0xf00u) | ((s.y >> 16u) & 0xf000u);
  let group = select(s.x, s.y, (unit & 8u) != 0u) >> (16u * ((unit >> 2u) & 1u) + 3u * (unit & 3u));
  let d = unpack2x16float(half).x * f32(2u * (group & 7u) + 1u);
  let a = codeword((low & 255u) | ((high & 7u) << 8u));
  let b = codeword(((low >> 8u) & 255u) | ((high & 0x70u) << 4u));
  let x = select(-0.875, -1.125, (high & 8u) != 0u);
  let y = select(-0.875, -1.125, (high & 0x80u) != 0u);
  return mat4x4<f32>(d * four(a, x), d * four(a >> 8u, x), d * four(b, y), d * four(b >> 8u, y));
}
