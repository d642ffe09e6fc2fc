// Q2_K: a unit is a group: bit pairs of one vec4<u32>, one byte of 4-bit scale and minimum, one word of two f16.
fn codes16(row: u32, unit: u32) -> vec4<u32> {
  let group = unit & 15u;
  let codes = word4(plane4(0u, row) + 4u * (unit >> 4u) + 2u * (group >> 3u) + (group & 1u));
  return (codes >> vec4<u32>(2u * ((group >> 1u) & 3u))) & vec4<u32>(0x03030303u);
}
fn scale16(row: u32, unit: u32) -> vec2<f32> {
  let block = unit >> 4u;
  let group = unit & 15u;
  let s = word(plane1(1u, row) + 4u * block + (group >> 2u)) >> (8u * (group & 3u));
  let dm = unpack2x16float(word(plane1(2u, row) + block));
  return dm * vec2<f32>(f32(s & 15u), -f32((s >> 4u) & 15u));
}
