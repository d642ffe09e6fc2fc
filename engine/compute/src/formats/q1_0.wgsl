// Q1_0: a unit is half a word of bits; a set bit is plus.
fn decode16(row: u32, unit: u32) -> mat4x4<f32> {
  let bits = word(plane1(0u, row) + (unit >> 1u)) >> (16u * (unit & 1u));
  let d = -half_at(1u, row, unit >> 3u);
  return mat4x4<f32>(d * signs4(bits), d * signs4(bits >> 4u), d * signs4(bits >> 8u), d * signs4(bits >> 12u));
}
